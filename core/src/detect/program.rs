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
    kept 113;
    pieces 43;
    piece 0 {
        keep 0 = shl(+ w 37, 25);
        keep 1 = shl(+ w 39, 25);
        keep 2 = same3(+ t 0, - t 1, + w 40);
        keep 3 = shl(+ w 41, 25);
        local x0 = same3(+ w 40, + t 3, - w 42);
        keep 4 = all(+ t 2, + x x0);
    }
    piece 1 {
        local x1 = same3(+ w 40, + w 44, - w 47);
        keep 5 = shl(+ w 43, 25);
        keep 6 = same3(+ t 5, - w 44, + w 46);
        local x2 = shl(+ w 58, 30);
        keep 7 = shl(+ w 59, 25);
        local x3 = same3(+ x x2, - t 7, - w 63);
        local x4 = shr(+ x x3, 1);
        local x5 = shr(+ w 62, 5);
        keep 8 = same2(+ w 61, - x x5);
        local x6 = shl(+ t 8, 28);
        vector 0 = all(+ t 4, + x x1, + t 6, + x x4, + x x6);
    }
    piece 2 {
        keep 9 = shl(+ w 38, 25);
        keep 10 = shl(+ w 40, 25);
        keep 11 = same3(+ t 9, - t 10, + w 41);
        keep 12 = shl(+ w 42, 25);
        local x7 = same3(+ w 40, - t 10, + t 12);
        keep 13 = same2(+ t 10, + w 43);
        keep 14 = all(+ t 11, + x x7, + t 13);
    }
    piece 3 {
        local x8 = same3(+ w 40, - w 47, - w 48);
        keep 15 = shl(+ w 44, 25);
        keep 16 = same3(+ t 10, + t 15, - w 45);
        local x9 = shl(+ w 60, 20);
        keep 17 = shr(+ w 64, 5);
        local x10 = same3(+ t 7, - x x9, - t 17);
        local x11 = shl(+ x x10, 4);
        local x12 = shl(+ w 62, 5);
        keep 18 = same2(+ x x12, - w 63);
        local x13 = shl(+ t 18, 23);
        vector 1 = all(+ t 14, + x x8, + t 16, + x x11, + x x13);
    }
    piece 4 {
        local x14 = shl(+ w 35, 25);
        keep 19 = same2(+ x x14, + w 39);
        keep 20 = same3(+ t 1, + w 41, + w 42);
    }
    piece 5 {
        local x15 = same3(+ w 41, - t 3, - w 48);
        keep 21 = same2(+ w 42, + w 46);
        keep 22 = shl(+ w 45, 25);
        keep 23 = same3(+ t 22, + w 48, + w 49);
        local x16 = shr(+ w 61, 5);
        local x17 = same2(+ w 60, - x x16);
        keep 24 = shl(+ x x17, 29);
        keep 25 = same2(+ w 63, - t 17);
        keep 26 = shl(+ t 25, 28);
        vector 2 = all(+ t 19, + t 20, + x x15, + t 21, + t 6, + t 23, + t 24, + t 26);
    }
    piece 6 {
        keep 27 = shl(+ w 36, 25);
        keep 28 = same2(+ t 27, + w 40);
        keep 29 = shl(+ w 46, 25);
    }
    piece 7 {
        local x18 = same3(+ w 42, - t 29, - w 50);
        local x19 = same3(+ t 12, - w 43, - t 15);
        keep 30 = same2(+ t 15, - w 49);
        keep 31 = same3(+ w 45, + t 29, - w 47);
        keep 32 = shl(+ t 8, 29);
        vector 3 = all(+ t 28, + t 16, + x x18, + x x19, + t 30, + t 31, + t 32);
    }
    piece 8 {
        keep 33 = same3(+ t 0, + w 40, + w 41);
        keep 34 = same3(+ t 3, + w 43, + w 44);
        keep 35 = shl(+ w 47, 25);
        keep 36 = same3(+ t 5, + t 35, + w 50);
        keep 37 = same3(+ t 22, - t 35, + w 48);
        keep 38 = same2(+ w 50, + w 51);
        keep 39 = shl(+ t 18, 24);
    }
    piece 9 {
        vector 5 = all(+ t 33, + t 34, + t 6, + t 36, + t 37, + t 38, + t 39);
        local x20 = same3(+ t 9, + w 40, + w 41);
        keep 40 = same2(+ t 9, + w 42);
        keep 41 = all(+ t 19, + x x20, + t 40);
    }
    piece 10 {
        keep 42 = same3(+ t 12, + w 44, + w 45);
        keep 43 = shl(+ w 48, 25);
        keep 44 = same3(+ t 29, - t 43, + w 49);
        keep 45 = same3(+ t 43, + w 51, + w 52);
        keep 46 = shl(+ t 25, 29);
    }
    piece 11 {
        vector 7 = all(+ t 41, + t 42, + t 30, + t 31, + t 44, + t 45, + t 46);
        keep 47 = same2(+ w 52, + w 53);
        keep 48 = all(+ t 28, + t 47);
        keep 49 = same2(+ t 1, + w 43);
    }
    piece 12 {
        keep 50 = all(+ t 48, + t 20, + t 49);
        keep 51 = same3(+ t 5, + w 45, + w 46);
        keep 52 = shl(+ w 49, 25);
        keep 53 = same3(+ t 52, - w 50, + w 52);
        vector 9 = all(+ t 50, + t 51, + t 36, + t 37, + t 53);
    }
    piece 13 {
        local x21 = same3(+ t 27, - t 0, - w 41);
        keep 54 = same3(+ w 42, + w 43, + w 44);
        keep 55 = same3(+ t 15, + w 46, + w 47);
        keep 56 = same3(+ t 43, + w 51, - w 53);
        keep 57 = shl(+ w 50, 25);
        keep 58 = same3(+ t 57, + w 53, + w 54);
        vector 11 = all(+ x x21, + t 13, + t 54, + t 55, + t 30, + t 44, + t 56, + t 58);
    }
    piece 14 {
        local x22 = shl(+ t 19, 1);
        local x23 = same2(+ t 52, - w 55);
        keep 59 = shl(+ w 51, 25);
        keep 60 = same3(+ t 59, + w 54, + w 55);
        keep 61 = all(+ x x22, + x x23, + t 60);
        keep 62 = same2(+ t 3, + w 45);
        keep 63 = all(+ t 34, + t 62, + t 53);
    }
    piece 15 {
        local x24 = same3(+ t 0, - t 9, - w 42);
        local x25 = same3(+ t 22, + w 47, - w 55);
        vector 13 = all(+ t 61, + t 63, + x x24, + x x25, + t 37);
        keep 64 = same2(+ t 12, + w 46);
        keep 65 = all(+ t 42, + t 64, + t 56);
    }
    piece 16 {
        local x26 = same3(+ t 9, - t 1, - w 43);
        keep 66 = same3(+ t 29, + w 48, + w 49);
        keep 67 = shl(+ w 52, 25);
        local x27 = same3(+ w 49, - t 67, + w 53);
        keep 68 = same3(+ t 57, - t 67, - w 55);
        keep 69 = same2(+ w 55, + w 56);
        vector 15 = all(+ t 65, + x x26, + t 66, + x x27, + t 68, + t 69);
    }
    piece 17 {
        keep 70 = same3(+ t 35, + w 49, + w 50);
        vector 16 = all(+ t 48, + t 63, + t 70, + t 24, + t 26);
        vector 17 = all(+ t 65, + t 33, + t 38, + t 58, + t 32);
        keep 71 = same2(+ t 5, + w 47);
    }
    piece 18 {
        keep 72 = all(+ t 51, + t 71);
        keep 73 = same3(+ t 52, + w 51, + w 52);
        vector 19 = all(+ t 41, + t 61, + t 72, + t 73, + t 39);
    }
    piece 19 {
        local x28 = shr(+ w 35, 2);
        local x29 = same3(+ x x28, - t 27, - w 40);
        local x30 = shl(+ x x29, 1);
        keep 74 = same2(+ t 15, + w 48);
        local x31 = same3(+ w 53, - w 55, - w 56);
        vector 20 = all(+ t 50, + x x30, + t 55, + t 74, + t 68, + x x31, + t 46);
    }
    piece 20 {
        local x32 = shr(+ w 36, 27);
        keep 75 = shr(+ w 41, 25);
        local x33 = same3(+ x x32, - w 37, - t 75);
        local x34 = shl(+ x x33, 26);
        local x35 = same2(+ t 0, + w 41);
        keep 76 = same2(+ t 10, + w 44);
        keep 77 = same2(+ w 47, + w 49);
        local x36 = same3(+ t 59, + w 54, - w 56);
        keep 78 = shl(+ w 53, 25);
        local x37 = same3(+ w 53, - t 78, + w 54);
        keep 79 = same2(+ w 54, - w 57);
        vector 21 = all(+ x x34, + x x35, + t 76, + t 54, + t 23, + t 77, + x x36, + x x37, + t 79);
    }
    piece 21 {
        local x38 = shr(+ w 37, 2);
        local x39 = same3(+ x x38, - t 9, - w 42);
        local x40 = shl(+ x x39, 1);
        keep 80 = same2(+ w 48, + w 50);
        keep 81 = same3(+ t 67, + w 54, + w 55);
        keep 82 = shl(+ w 54, 25);
        local x41 = same3(+ t 82, + w 57, + w 58);
        vector 23 = all(+ x x40, + t 40, + t 34, + t 62, + t 66, + t 80, + t 81, + t 79, + x x41);
    }
    piece 22 {
        local x42 = shr(+ w 38, 2);
        local x43 = same3(+ x x42, - t 1, - w 43);
        local x44 = shl(+ x x43, 1);
        keep 83 = shl(+ w 55, 25);
        local x45 = same3(+ t 78, - t 83, - w 59);
        local x46 = same3(+ w 55, - w 58, - w 59);
        keep 84 = same2(+ w 56, - w 59);
        vector 25 = all(+ x x44, + t 49, + t 42, + t 64, + t 70, + t 38, + x x45, + x x46, + t 84);
    }
    piece 23 {
        keep 85 = same2(+ t 27, - t 9);
    }
    piece 24 {
        local x47 = shr(+ w 39, 2);
        local x48 = same3(+ x x47, - t 10, - w 44);
        local x49 = shl(+ x x48, 1);
        keep 86 = shl(+ w 56, 25);
        local x50 = same3(+ t 82, - t 86, + w 57);
        local x51 = same3(+ t 82, - w 59, - w 60);
        vector 27 = all(+ t 72, + t 85, + x x49, + t 76, + t 45, + t 38, + x x50, + x x51, + t 84);
    }
    piece 25 {
        local x52 = shl(+ t 62, 1);
        local x53 = same3(+ t 83, + w 58, - w 61);
        keep 87 = shl(+ w 57, 25);
        local x54 = same3(+ w 57, - t 87, - w 61);
        vector 28 = all(+ t 2, + t 62, + x x52, + t 55, + t 74, + t 73, + t 47, + x x53, + x x54);
    }
    piece 26 {
        local x55 = shl(+ t 64, 1);
        keep 88 = same2(+ w 52, + w 54);
        local x56 = same3(+ t 86, + w 58, + w 59);
        local x57 = shl(+ w 58, 25);
        local x58 = same2(+ x x57, + w 62);
        vector 29 = all(+ t 85, + t 11, + t 64, + x x55, + t 23, + t 77, + t 58, + t 88, + x x56, + x x58);
    }
    piece 27 {
        local x59 = shl(+ t 71, 1);
        keep 89 = same2(+ w 53, + w 55);
        local x60 = same2(+ t 87, + w 59);
        local x61 = same2(+ t 7, + w 63);
        vector 30 = all(+ t 4, + t 71, + x x59, + t 66, + t 80, + t 60, + t 89, + x x60, + x x61);
    }
    piece 28 {
        local x62 = shl(+ t 74, 1);
        local x63 = shl(+ w 60, 25);
        local x64 = same2(+ x x63, + w 64);
        vector 31 = all(+ t 14, + t 74, + x x62, + t 70, + t 38, + t 81, + t 69, + x x64);
    }
    piece 29 {
        local x65 = shl(+ w 35, 5);
        keep 90 = same2(+ x x65, - w 36);
        keep 91 = shl(+ w 39, 5);
    }
    piece 30 {
        local x66 = same3(+ t 91, - w 42, - w 44);
        keep 92 = shl(+ w 47, 5);
        local x67 = same3(+ w 40, + w 44, + t 92);
        keep 93 = shl(+ t 8, 4);
        vector 4 = all(+ t 90, + x x66, + x x67, + t 21, + t 93);
    }
    piece 31 {
        keep 94 = shl(+ w 36, 5);
        keep 95 = same2(+ t 94, - w 37);
        keep 96 = shl(+ w 40, 5);
    }
    piece 32 {
        local x68 = same3(+ t 96, - w 41, - w 45);
        keep 97 = shl(+ w 48, 5);
        local x69 = same2(+ t 96, - t 97);
        keep 98 = same3(+ w 43, + w 45, + w 47);
        local x70 = shr(+ t 18, 1);
        vector 6 = all(+ t 95, + x x68, + x x69, + t 98, + x x70);
    }
    piece 33 {
        keep 99 = shl(+ w 37, 5);
    }
    piece 34 {
        local x71 = same2(+ t 99, - w 38);
        keep 100 = shl(+ w 41, 5);
        local x72 = shl(+ w 49, 5);
        local x73 = same3(+ t 100, - w 46, - x x72);
        keep 101 = same3(+ w 44, + w 46, + w 48);
        local x74 = shl(+ t 25, 4);
        vector 8 = all(+ x x71, + x x73, + t 21, + t 101, + x x74);
    }
    piece 35 {
        keep 102 = shl(+ w 38, 5);
    }
    piece 36 {
        local x75 = same3(+ t 102, - w 39, - t 96);
        keep 103 = shl(+ w 42, 5);
        keep 104 = shl(+ w 50, 5);
        local x76 = same3(+ t 103, - w 49, - t 104);
        vector 10 = all(+ t 90, + x x75, + x x76, + t 98, + t 77);
    }
    piece 37 {
        keep 105 = same3(+ t 91, - w 40, - t 100);
        keep 106 = shl(+ w 43, 5);
        keep 107 = shl(+ w 51, 5);
        local x77 = same3(+ t 106, - w 50, - t 107);
        vector 12 = all(+ t 95, + t 105, + x x77, + t 101, + t 80);
    }
    piece 38 {
        local x78 = shr(+ t 19, 24);
        local x79 = same3(+ w 37, + t 99, - w 38);
        keep 108 = same3(+ t 96, - w 41, - t 103);
        keep 109 = shl(+ w 44, 5);
        keep 110 = shl(+ w 52, 5);
        local x80 = same3(+ t 109, - w 45, - t 110);
        local x81 = same3(+ t 109, - w 49, - w 51);
        vector 14 = all(+ x x78, + x x79, + t 108, + x x80, + x x81, + t 77);
    }
    piece 39 {
        keep 111 = same3(+ t 100, - w 42, - t 106);
        local x82 = same3(+ t 92, - w 48, - t 107);
        vector 18 = all(+ t 95, + t 111, + x x82, + t 80, + t 93);
    }
    piece 40 {
        local x83 = same3(+ t 94, - w 37, - t 75);
        local x84 = shl(+ x x83, 1);
        keep 112 = shl(+ w 46, 5);
        local x85 = same3(+ t 109, - w 45, - t 112);
        local x86 = same3(+ t 104, - w 51, - w 53);
        local x87 = shl(+ w 54, 5);
        local x88 = same2(+ w 51, + x x87);
        vector 22 = all(+ x x84, + t 105, + x x85, + x x86, + x x88);
    }
    piece 41 {
        local x89 = shl(+ w 37, 30);
        local x90 = same3(+ x x89, - t 9, - w 42);
        local x91 = shr(+ x x90, 24);
        local x92 = shl(+ w 45, 5);
        local x93 = same3(+ x x92, - w 46, - t 92);
        local x94 = shl(+ w 55, 5);
        local x95 = same3(+ t 107, - w 52, - x x94);
        vector 24 = all(+ x x91, + t 108, + x x93, + x x95, + t 88);
    }
    piece 42 {
        local x96 = shr(+ w 43, 25);
        local x97 = same3(+ t 102, - w 39, - x x96);
        local x98 = shl(+ x x97, 1);
        local x99 = same3(+ t 112, - w 47, - t 97);
        local x100 = shl(+ w 56, 5);
        local x101 = same3(+ t 110, - w 55, - x x100);
        vector 26 = all(+ x x98, + t 111, + x x99, + x x101, + t 89);
    }
}
