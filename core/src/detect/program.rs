//! The conditions as a program over lanes: what a solver made of
//! [`super::conditions`].
//!
//! For one vector the conditions say that certain bits of the expanded message
//! are equal, up to inversion, in a few classes. Any set of equations that
//! ties each class together says the same, so there is freedom to choose: ties
//! that several vectors share, ties of three bits (one instruction where there
//! is three-input logic), few different shifts. `cargo run -p conditions`
//! searches for a cheap choice and writes the list below; a test proves that
//! each vector's ties span exactly its published conditions.
//!
//! Each line is one vector operation or two. `w 37` is the word of step 37,
//! `t 5` a value kept by an earlier line, `x x3` one used in this piece only;
//! `-` inverts. A vector's result has a one in bit 29 (bit 6 for the vectors
//! with b = 2) of each lane whose block satisfies all its conditions.
//!
//! The list is cut into pieces of about equal length, for the code that runs
//! it between the rounds of the hash chain.

program! {
    kept 107;
    pieces 48;
    piece 0 {
        keep 0 = shl(+ w 37, 25);
        keep 1 = shl(+ w 39, 25);
        keep 2 = same3(+ t 0, - t 1, + w 40);
        keep 3 = shl(+ w 41, 25);
        keep 4 = same3(+ t 1, - t 3, + w 42);
        keep 5 = all(+ t 2, + t 4);
        keep 6 = shl(+ w 43, 25);
    }
    piece 1 {
        local x0 = same3(+ t 3, - t 6, - w 47);
        keep 7 = same3(+ t 3, + w 44, - w 46);
        local x1 = shl(+ w 58, 30);
        keep 8 = shl(+ w 59, 25);
        local x2 = same3(+ x x1, - t 8, - w 63);
        local x3 = shr(+ x x2, 1);
        local x4 = shl(+ w 61, 5);
        keep 9 = same2(+ x x4, - w 62);
        local x5 = shl(+ t 9, 23);
        vector 0 = all(+ t 5, + x x0, + t 7, + x x3, + x x5);
    }
    piece 2 {
        keep 10 = shl(+ w 38, 25);
        keep 11 = same3(+ t 10, + w 40, + w 41);
        keep 12 = shl(+ w 40, 25);
        keep 13 = shl(+ w 42, 25);
        keep 14 = shl(+ w 44, 25);
        keep 15 = same3(+ t 12, - t 13, + t 14);
        keep 16 = same3(+ t 12, + w 43, - w 45);
    }
    piece 3 {
        local x6 = same3(+ w 41, + t 13, - w 48);
        keep 17 = same2(+ t 14, + w 47);
        local x7 = shl(+ w 59, 30);
        keep 18 = shl(+ w 60, 25);
        local x8 = same3(+ x x7, - t 18, - w 64);
        local x9 = shr(+ x x8, 1);
        local x10 = shl(+ w 62, 5);
        keep 19 = same2(+ x x10, - w 63);
        local x11 = shl(+ t 19, 23);
        vector 1 = all(+ t 11, + t 15, + t 16, + x x6, + t 17, + x x9, + x x11);
    }
    piece 4 {
        local x12 = shl(+ w 60, 5);
        local x13 = same2(+ x x12, - w 61);
        local x14 = shl(+ x x13, 24);
        local x15 = shl(+ w 63, 5);
        keep 20 = same2(+ x x15, - w 64);
        local x16 = shl(+ t 20, 23);
        keep 21 = all(+ x x14, + x x16);
    }
    piece 5 {
        local x17 = shl(+ w 35, 25);
        keep 22 = same2(+ x x17, + w 39);
        keep 23 = shl(+ w 45, 25);
    }
    piece 6 {
        local x18 = same3(+ w 41, - t 23, + w 46);
        local x19 = same3(+ t 6, - w 44, - w 49);
        keep 24 = same2(+ w 48, + w 49);
        vector 2 = all(+ t 21, + t 22, + t 4, + x x18, + t 7, + x x19, + t 24);
    }
    piece 7 {
        keep 25 = shl(+ w 36, 25);
        keep 26 = same2(+ t 25, + w 40);
        keep 27 = shl(+ w 46, 25);
    }
    piece 8 {
        local x20 = same3(+ t 12, - t 27, + w 47);
        local x21 = same3(+ w 42, - t 13, - w 50);
        keep 28 = same2(+ w 49, + w 50);
        keep 29 = shl(+ t 9, 24);
        vector 3 = all(+ t 26, + t 15, + t 16, + x x20, + x x21, + t 28, + t 29);
    }
    piece 9 {
        keep 30 = same3(+ t 0, + w 40, + w 41);
        keep 31 = shl(+ w 47, 25);
    }
    piece 10 {
        local x22 = same2(+ w 43, - t 31);
        local x23 = same3(+ t 6, - w 44, + w 50);
        keep 32 = same3(+ t 23, + w 48, - w 50);
        keep 33 = same3(+ t 31, + w 50, + w 51);
        keep 34 = shl(+ t 19, 24);
        vector 5 = all(+ t 30, + t 7, + x x22, + x x23, + t 32, + t 33, + t 34);
    }
    piece 11 {
        keep 35 = same2(+ t 10, + w 42);
        keep 36 = all(+ t 22, + t 11, + t 35);
        local x24 = same3(+ t 14, - t 27, + w 51);
        keep 37 = shl(+ w 48, 25);
        keep 38 = same3(+ t 37, - w 49, + w 51);
        keep 39 = all(+ x x24, + t 17, + t 38);
    }
    piece 12 {
        local x25 = same3(+ t 13, + w 44, - t 37);
        local x26 = same3(+ w 45, - w 51, - w 52);
        keep 40 = shl(+ t 20, 24);
        vector 7 = all(+ t 36, + t 39, + x x25, + x x26, + t 40);
    }
    piece 13 {
        local x27 = same3(+ t 1, + w 41, + w 42);
        keep 41 = all(+ t 26, + x x27);
        keep 42 = same2(+ t 1, + w 43);
        keep 43 = same3(+ t 6, + w 45, + w 46);
    }
    piece 14 {
        local x28 = same3(+ t 6, + t 31, - w 48);
        keep 44 = shl(+ w 49, 25);
        local x29 = same2(+ t 6, - t 44);
        keep 45 = same3(+ t 44, + w 52, + w 53);
        vector 9 = all(+ t 41, + t 42, + t 43, + x x28, + x x29, + t 32, + t 45);
    }
    piece 15 {
        local x30 = same3(+ t 25, - t 0, - w 41);
        keep 46 = same2(+ t 12, + w 44);
        keep 47 = same3(+ w 42, + w 43, + w 44);
        keep 48 = shl(+ w 50, 25);
        local x31 = same3(+ t 14, + w 46, - t 48);
        keep 49 = same3(+ t 48, + w 53, + w 54);
        vector 11 = all(+ t 39, + x x30, + t 46, + t 47, + x x31, + t 49);
    }
    piece 16 {
        local x32 = shl(+ t 22, 1);
        local x33 = same3(+ t 44, + w 52, - w 55);
        keep 50 = same2(+ w 54, + w 55);
        keep 51 = all(+ x x32, + x x33, + t 50);
        keep 52 = same3(+ t 3, + w 44, + w 45);
        keep 53 = same2(+ w 43, + w 45);
    }
    piece 17 {
        local x34 = same3(+ t 31, - t 44, + w 50);
        keep 54 = all(+ t 52, + t 53, + x x34);
    }
    piece 18 {
        local x35 = same3(+ t 0, - t 10, - w 42);
        keep 55 = shl(+ w 51, 25);
        local x36 = same3(+ t 23, + w 47, - t 55);
        vector 13 = all(+ t 51, + t 54, + x x35, + x x36, + t 32);
        keep 56 = same2(+ t 13, + w 46);
    }
    piece 19 {
        keep 57 = same3(+ w 44, + w 45, + w 46);
        keep 58 = same2(+ w 51, - w 53);
        keep 59 = all(+ t 56, + t 57, + t 58);
    }
    piece 20 {
        local x37 = same3(+ t 10, - t 1, - w 43);
        keep 60 = same3(+ t 27, + w 48, + w 49);
        local x38 = same3(+ w 48, + t 48, - w 56);
        keep 61 = shl(+ w 52, 25);
        keep 62 = same3(+ t 61, + w 55, + w 56);
        vector 15 = all(+ t 59, + x x37, + t 60, + x x38, + t 38, + t 62);
    }
    piece 21 {
        vector 16 = all(+ t 21, + t 54, + t 26, + t 28, + t 45);
        keep 63 = same3(+ t 37, + w 50, + w 51);
        vector 17 = all(+ t 59, + t 30, + t 63, + t 49, + t 29);
        keep 64 = same2(+ t 6, + w 47);
    }
    piece 22 {
        keep 65 = all(+ t 43, + t 64);
        local x39 = same3(+ w 51, - t 55, - w 55);
        vector 19 = all(+ t 36, + t 51, + t 65, + x x39, + t 34);
    }
    piece 23 {
        local x40 = shr(+ w 35, 2);
        local x41 = same3(+ x x40, - t 25, - w 40);
        local x42 = shl(+ x x41, 1);
        keep 66 = same3(+ t 14, + w 46, + w 48);
        local x43 = same3(+ t 48, - t 61, + w 53);
        keep 67 = same2(+ w 52, - w 56);
        vector 20 = all(+ t 41, + x x42, + t 42, + t 66, + t 17, + x x43, + t 67, + t 62, + t 40);
    }
    piece 24 {
        local x44 = shr(+ w 36, 7);
        keep 68 = shl(+ w 37, 20);
        keep 69 = shr(+ w 41, 5);
        local x45 = same3(+ x x44, - t 68, - t 69);
        local x46 = shl(+ x x45, 6);
        local x47 = same2(+ t 0, + w 41);
        keep 70 = same3(+ t 23, + w 47, + w 49);
        local x48 = shl(+ t 58, 25);
        keep 71 = same3(+ t 55, + w 53, + w 54);
        local x49 = same3(+ t 55, - w 56, - w 57);
        vector 21 = all(+ x x46, + x x47, + t 46, + t 47, + t 70, + t 24, + x x48, + t 71, + x x49);
    }
    piece 25 {
        keep 72 = all(+ t 60, + t 28, + t 50);
    }
    piece 26 {
        local x50 = shr(+ w 37, 2);
        local x51 = same3(+ x x50, - t 10, - w 42);
        local x52 = shl(+ x x51, 1);
        keep 73 = shl(+ w 54, 25);
        local x53 = same3(+ t 61, - t 73, - w 58);
        local x54 = same3(+ w 54, - t 73, - w 57);
        vector 23 = all(+ t 72, + x x52, + t 35, + t 52, + t 53, + x x53, + x x54);
    }
    piece 27 {
        local x55 = shr(+ w 38, 2);
        local x56 = same3(+ x x55, - t 1, - w 43);
        local x57 = shl(+ x x56, 1);
        local x58 = shl(+ w 53, 25);
        local x59 = same3(+ x x58, + w 55, - w 58);
        keep 74 = shl(+ w 55, 25);
        local x60 = same3(+ w 55, - t 74, + w 56);
        keep 75 = same2(+ w 56, - w 59);
        vector 25 = all(+ x x57, + t 42, + t 56, + t 57, + t 33, + t 28, + x x59, + x x60, + t 75);
    }
    piece 28 {
        local x61 = same2(+ t 25, - t 10);
        local x62 = shr(+ w 39, 2);
        local x63 = same3(+ x x62, - t 12, - w 44);
        local x64 = shl(+ x x63, 1);
        keep 76 = same2(+ w 51, + w 52);
        keep 77 = shl(+ w 56, 25);
        local x65 = same3(+ t 73, - t 77, - w 59);
        local x66 = same3(+ t 73, + w 57, - w 60);
        vector 27 = all(+ t 65, + x x61, + x x64, + t 46, + t 63, + t 76, + x x65, + x x66, + t 75);
    }
    piece 29 {
        keep 78 = same2(+ t 3, + w 45);
    }
    piece 30 {
        local x67 = shl(+ t 78, 1);
        local x68 = same3(+ t 74, + w 57, - w 61);
        keep 79 = shl(+ w 57, 25);
        local x69 = same3(+ t 74, - t 79, + w 58);
        vector 28 = all(+ t 2, + t 78, + x x67, + t 66, + t 17, + t 45, + t 76, + x x68, + x x69);
    }
    piece 31 {
        local x70 = same3(+ t 25, - t 10, - w 41);
        keep 80 = same2(+ t 12, - w 41);
        local x71 = shl(+ t 56, 1);
        keep 81 = same2(+ w 52, + w 54);
        local x72 = same3(+ t 77, + w 58, + w 59);
        local x73 = shl(+ w 58, 25);
        local x74 = same2(+ x x73, + w 62);
        vector 29 = all(+ x x70, + t 80, + t 56, + x x71, + t 70, + t 24, + t 49, + t 81, + x x72, + x x74);
    }
    piece 32 {
        local x75 = shl(+ t 64, 1);
        local x76 = same2(+ t 79, + w 59);
        local x77 = same2(+ t 8, + w 63);
        vector 30 = all(+ t 5, + t 72, + t 64, + x x75, + t 71, + x x76, + x x77);
    }
    piece 33 {
        local x78 = same3(+ w 41, + t 13, - w 43);
        keep 82 = same2(+ t 14, + w 48);
        local x79 = shl(+ t 82, 1);
        local x80 = same2(+ t 18, + w 64);
        vector 31 = all(+ t 11, + t 80, + x x78, + t 82, + x x79, + t 33, + t 28, + t 62, + t 50, + x x80);
    }
    piece 34 {
        local x81 = shr(+ w 36, 5);
        keep 83 = same2(+ w 35, - x x81);
        keep 84 = shr(+ w 44, 5);
        keep 85 = shr(+ w 46, 5);
    }
    piece 35 {
        local x82 = same3(+ w 39, - t 84, - t 85);
        keep 86 = shr(+ w 40, 5);
        local x83 = same3(+ t 86, + t 84, + w 47);
        keep 87 = shr(+ w 42, 5);
        keep 88 = same2(+ t 87, + t 85);
        keep 89 = shr(+ t 9, 6);
        vector 4 = all(+ t 83, + x x82, + x x83, + t 88, + t 89);
    }
    piece 36 {
        keep 90 = shr(+ w 37, 5);
        keep 91 = same2(+ w 36, - t 90);
        keep 92 = shr(+ w 47, 5);
    }
    piece 37 {
        local x84 = same3(+ w 40, - t 69, - t 92);
        keep 93 = shr(+ t 53, 5);
        keep 94 = shr(+ w 45, 5);
        local x85 = same3(+ t 94, + t 92, + w 48);
        local x86 = shr(+ t 19, 6);
        vector 6 = all(+ t 91, + x x84, + t 93, + x x85, + x x86);
    }
    piece 38 {
        keep 95 = shr(+ w 38, 5);
    }
    piece 39 {
        local x87 = same2(+ w 37, - t 95);
        local x88 = same3(+ w 41, - t 84, - w 49);
        keep 96 = shr(+ w 48, 5);
        keep 97 = same3(+ t 84, + t 85, + t 96);
        local x89 = shr(+ t 20, 6);
        vector 8 = all(+ x x87, + x x88, + t 88, + t 97, + x x89);
    }
    piece 40 {
        keep 98 = shr(+ w 39, 5);
    }
    piece 41 {
        local x90 = same3(+ w 38, - t 98, - w 40);
        local x91 = same3(+ w 42, - t 92, - w 50);
        local x92 = shr(+ w 49, 5);
        keep 99 = same3(+ t 94, + t 92, + x x92);
        vector 10 = all(+ t 83, + x x90, + x x91, + t 93, + t 99);
    }
    piece 42 {
        keep 100 = same3(+ w 39, - t 86, - w 41);
        keep 101 = shr(+ w 50, 5);
        local x93 = same3(+ w 43, - t 101, - w 51);
        keep 102 = same2(+ t 96, + w 51);
        vector 12 = all(+ t 91, + t 100, + x x93, + t 97, + t 102);
    }
    piece 43 {
        local x94 = shr(+ t 22, 29);
        local x95 = same3(+ t 90, + w 37, - t 95);
        keep 103 = same3(+ w 40, - t 69, - w 42);
        local x96 = same2(+ w 44, - t 92);
        keep 104 = shr(+ w 51, 5);
        local x97 = same3(+ w 44, - t 104, - w 52);
        vector 14 = all(+ x x94, + x x95, + t 103, + x x96, + x x97, + t 99);
    }
    piece 44 {
        keep 105 = same3(+ w 41, - t 87, - w 43);
        local x98 = same3(+ w 47, - t 101, - w 51);
        vector 18 = all(+ t 91, + t 105, + x x98, + t 102, + t 89);
    }
    piece 45 {
        local x99 = same3(+ t 25, - t 68, - t 69);
        local x100 = shr(+ x x99, 24);
        local x101 = same3(+ w 44, - t 94, - w 46);
        local x102 = same3(+ w 50, - t 104, - w 54);
        keep 106 = shr(+ w 53, 5);
        local x103 = same2(+ t 104, + t 106);
        vector 22 = all(+ x x100, + t 100, + x x101, + x x102, + x x103);
    }
    piece 46 {
        local x104 = shl(+ w 38, 20);
        local x105 = same3(+ t 0, - x x104, - t 87);
        local x106 = shr(+ x x105, 24);
        local x107 = same3(+ w 45, - t 85, - w 47);
        local x108 = shr(+ w 54, 5);
        local x109 = same3(+ w 51, - x x108, - w 55);
        local x110 = shr(+ t 81, 5);
        vector 24 = all(+ x x106, + t 103, + x x107, + x x109, + x x110);
    }
    piece 47 {
        local x111 = shr(+ w 43, 30);
        local x112 = same3(+ w 38, - t 98, - x x111);
        local x113 = shl(+ x x112, 1);
        local x114 = same3(+ w 46, - t 92, - w 48);
        local x115 = shr(+ w 55, 5);
        local x116 = same3(+ w 52, - t 106, - x x115);
        vector 26 = all(+ x x113, + t 105, + x x114, + x x116, + t 67);
    }
}
