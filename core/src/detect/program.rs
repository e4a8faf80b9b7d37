//! The conditions as a program over lanes: what a solver made of
//! [`super::conditions`].
//!
//! For one vector the conditions say that certain bits of the expanded message
//! are equal, up to inversion, in a few classes. Any set of equations that
//! ties each class together says the same, so there is freedom to choose: ties
//! that several vectors share, ties of three bits (one instruction where there
//! is three-input logic), few different shifts. `cargo run --release -p
//! conditions` searches for a cheap choice and writes this file; a test proves
//! that each vector's ties span exactly its published conditions.
//!
//! Each line is one vector operation or two. `w 37` is the word of step 37,
//! `t 5` a value kept by an earlier line (the last that kept it there), `x x3`
//! one used in this piece only; `-` inverts. A vector's result has a one in
//! bit 29 (bit 6 for the vectors with b = 2) of each lane whose block
//! satisfies all its conditions.
//!
//! The list is cut into pieces of about equal length, for the code that runs
//! it between the rounds of the hash chain.

program! {
    kept 56;
    pieces 31;
    piece 0 {
        keep 0 = shl(+ w 36, 25);
        keep 1 = same2(+ t 0, + w 40);
        local x0 = shl(+ w 45, 25);
        keep 2 = same3(+ x x0, - w 46, + w 48);
        keep 3 = same2(+ x x0, + w 48);
        local x1 = shl(+ w 47, 25);
        keep 4 = same2(+ x x0, - x x1);
        keep 5 = same2(+ x x1, + w 50);
        keep 6 = all(+ t 3, + t 4, + t 5);
        keep 7 = all(+ t 2, + t 6);
        keep 8 = same2(+ w 41, + w 42);
        keep 9 = same2(+ w 42, + w 43);
        keep 10 = shl(+ w 39, 25);
        keep 11 = same2(+ t 10, + w 43);
        keep 12 = all(+ t 8, + t 9, + t 11);
    }
    piece 1 {
        keep 13 = shl(+ w 43, 25);
        keep 14 = same3(+ t 13, + w 45, + w 46);
        keep 15 = shl(+ w 49, 25);
        keep 16 = same2(+ t 15, - w 50);
        keep 17 = same3(+ t 15, + w 52, + w 53);
        keep 18 = all(+ t 16, + t 17);
        vector 9 = all(+ t 1, + t 7, + t 12, + t 14, + t 18);
        local x0 = shl(+ w 36, 5);
        keep 19 = same2(+ x x0, - w 37);
    }
    piece 2 {
        keep 20 = shl(+ w 40, 5);
        local x0 = same3(+ t 20, - w 41, - w 43);
        keep 21 = same3(+ w 43, + w 45, + w 47);
        local x1 = shl(+ w 48, 5);
        keep 22 = same2(+ w 47, + x x1);
        local x2 = shl(+ w 62, 5);
        keep 23 = same2(+ x x2, - w 63);
        local x3 = shr(+ t 23, 1);
        vector 6 = all(+ t 19, + x x0, + t 21, + t 22, + x x3);
    }
    piece 3 {
        keep 24 = shl(+ w 40, 25);
        keep 25 = shl(+ w 42, 25);
        keep 26 = same3(+ t 24, - t 25, + w 43);
        keep 27 = same2(+ t 25, + w 45);
        keep 28 = shl(+ w 44, 25);
        local x0 = same3(+ t 25, - t 28, - w 47);
        keep 29 = all(+ t 27, + x x0);
        keep 30 = shl(+ w 46, 25);
        keep 31 = same2(+ t 28, - t 30);
        keep 32 = same2(+ t 30, + w 49);
        keep 33 = all(+ t 29, + t 31, + t 32);
    }
    piece 4 {
        local x0 = shr(+ w 62, 5);
        keep 34 = same2(+ w 61, - x x0);
        keep 35 = shl(+ t 34, 29);
        keep 36 = same2(+ w 49, + w 50);
        keep 37 = all(+ t 1, + t 36);
        vector 3 = all(+ t 26, + t 9, + t 33, + t 35, + t 37);
        local x1 = shl(+ w 35, 5);
        keep 38 = same2(+ x x1, - w 36);
    }
    piece 5 {
        local x0 = shl(+ w 38, 5);
        keep 39 = same2(+ x x0, - w 39);
        local x1 = same2(+ x x0, - t 20);
        keep 40 = same3(+ w 45, + w 47, + w 49);
        keep 41 = shl(+ w 42, 5);
        keep 42 = shl(+ w 50, 5);
        local x2 = same3(+ t 41, - w 47, - t 42);
        vector 10 = all(+ t 38, + t 21, + t 39, + x x1, + t 40, + x x2);
    }
    piece 6 {
        keep 21 = shl(+ w 41, 25);
        keep 43 = same3(+ t 10, - t 21, + w 42);
        local x0 = shl(+ w 35, 25);
        keep 44 = same2(+ x x0, + w 39);
        keep 45 = same2(+ w 48, + w 49);
        keep 46 = same2(+ t 21, + w 44);
        local x1 = same3(+ t 21, - t 13, - w 46);
        keep 47 = all(+ t 46, + x x1);
        keep 2 = all(+ t 47, + t 2);
    }
    piece 7 {
        local x0 = shr(+ w 61, 5);
        local x1 = same2(+ w 60, - x x0);
        local x2 = shl(+ x x1, 29);
        keep 48 = shr(+ w 64, 5);
        keep 49 = same2(+ w 63, - t 48);
        local x3 = shl(+ t 49, 28);
        keep 50 = all(+ x x2, + x x3);
        vector 2 = all(+ t 43, + t 44, + t 8, + t 45, + t 2, + t 50);
    }
    piece 8 {
        local x0 = shl(+ w 37, 5);
        keep 51 = same2(+ x x0, - w 38);
        local x1 = shr(+ t 44, 24);
        local x2 = same2(+ w 37, + x x0);
        keep 20 = same3(+ t 20, - w 41, - t 41);
        local x3 = shl(+ w 44, 5);
        keep 41 = same2(+ x x3, - w 45);
        keep 52 = shl(+ w 52, 5);
        local x4 = same3(+ w 49, + w 51, + t 52);
        vector 14 = all(+ t 51, + t 40, + x x1, + x x2, + t 20, + t 41, + x x4);
        keep 40 = shl(+ w 47, 5);
    }
    piece 9 {
        keep 53 = same2(+ w 46, + t 40);
        local x0 = shl(+ t 51, 1);
        keep 54 = shl(+ w 38, 25);
        keep 55 = same2(+ t 54, + w 42);
        local x1 = shr(+ t 55, 24);
        local x2 = shr(+ t 4, 20);
        keep 4 = shl(+ w 51, 5);
        local x3 = same2(+ t 4, - w 54);
        local x4 = shl(+ w 55, 5);
        local x5 = same3(+ w 52, + w 54, + x x4);
        vector 24 = all(+ t 53, + t 20, + x x0, + x x1, + x x2, + x x3, + x x5);
    }
    piece 10 {
        keep 20 = same2(+ w 43, + w 44);
        keep 21 = same2(+ t 21, + w 45);
        keep 46 = all(+ t 46, + t 20, + t 21);
        vector 16 = all(+ t 5, + t 18, + t 46, + t 37, + t 50);
        keep 18 = same3(+ w 42, + w 44, + w 46);
    }
    piece 11 {
        keep 37 = same3(+ w 44, + w 46, + w 48);
        keep 50 = shl(+ w 41, 5);
        local x0 = shl(+ w 49, 5);
        local x1 = same3(+ t 50, - w 42, - x x0);
        local x2 = shl(+ t 49, 4);
        vector 8 = all(+ t 18, + t 51, + t 37, + x x1, + x x2);
    }
    piece 12 {
        local x0 = shl(+ w 39, 5);
        local x1 = same3(+ x x0, - w 40, - w 44);
        keep 51 = shl(+ t 34, 4);
        vector 4 = all(+ t 38, + x x1, + t 18, + t 53, + t 51);
        keep 18 = same3(+ x x0, - w 40, - t 50);
    }
    piece 13 {
        local x0 = shl(+ t 19, 1);
        keep 38 = shl(+ w 37, 25);
        keep 53 = same2(+ t 38, + w 41);
        local x1 = shr(+ t 53, 24);
        local x2 = shr(+ t 31, 20);
        local x3 = same2(+ t 42, - w 53);
        local x4 = shl(+ w 54, 5);
        local x5 = same3(+ t 42, - w 51, - x x4);
        vector 22 = all(+ t 18, + t 41, + x x0, + x x1, + x x2, + x x3, + x x5);
    }
    piece 14 {
        local x0 = shl(+ w 43, 5);
        local x1 = same2(+ x x0, - w 44);
        local x2 = same3(+ w 48, + w 50, + t 4);
        vector 12 = all(+ t 19, + t 37, + t 18, + x x1, + x x2);
        keep 4 = same3(+ t 50, - w 42, - x x0);
        local x3 = same2(+ t 40, - w 50);
        vector 18 = all(+ t 51, + t 19, + x x2, + t 4, + x x3);
    }
    piece 15 {
        keep 18 = shl(+ w 48, 25);
        keep 19 = same2(+ t 18, + w 51);
        keep 37 = shl(+ w 50, 25);
        keep 40 = same3(+ t 18, - t 37, - w 53);
        keep 41 = same2(+ w 53, + w 54);
        keep 42 = same2(+ t 25, + w 44);
        keep 25 = same2(+ t 25, + w 46);
        keep 27 = all(+ t 27, + t 42, + t 25);
        keep 50 = same2(+ w 40, + w 41);
        keep 51 = same2(+ w 50, + w 51);
    }
    piece 16 {
        local x0 = all(+ t 50, + t 53, + t 51);
        vector 17 = all(+ t 35, + t 19, + t 40, + t 41, + t 27, + x x0);
        keep 35 = shl(+ t 23, 24);
        vector 5 = all(+ t 2, + t 20, + t 7, + t 35, + x x0);
    }
    piece 17 {
        local x0 = shl(+ t 39, 1);
        local x1 = shr(+ t 11, 24);
        keep 2 = same2(+ t 30, - t 18);
        local x2 = shr(+ t 2, 20);
        local x3 = shl(+ w 56, 5);
        local x4 = same2(+ w 53, + x x3);
        local x5 = same3(+ t 52, - w 55, - x x3);
        vector 26 = all(+ t 22, + t 4, + x x0, + x x1, + x x2, + x x4, + x x5);
        keep 4 = same2(+ w 55, + w 56);
    }
    piece 18 {
        local x0 = shr(+ w 38, 2);
        local x1 = same3(+ x x0, - t 10, - w 43);
        local x2 = shl(+ x x1, 1);
        keep 5 = all(+ t 36, + t 5, + t 51);
        local x3 = shl(+ w 55, 25);
        keep 7 = same2(+ x x3, + w 58);
        keep 18 = shl(+ w 53, 25);
        local x4 = same3(+ t 18, + w 55, - w 58);
        keep 22 = same2(+ w 56, - w 59);
        keep 11 = all(+ t 11, + t 27);
        vector 25 = all(+ t 4, + x x2, + t 5, + t 7, + x x4, + t 22, + t 11);
    }
    piece 19 {
        local x0 = shl(+ w 58, 30);
        keep 27 = shl(+ w 59, 25);
        local x1 = same3(+ x x0, - t 27, - w 63);
        local x2 = shr(+ x x1, 1);
        local x3 = shl(+ t 34, 28);
        keep 10 = same3(+ t 38, - t 10, + w 40);
        keep 13 = same2(+ t 13, + w 47);
        keep 30 = all(+ t 10, + t 43, + t 13);
        vector 0 = all(+ t 47, + x x2, + x x3, + t 30);
        keep 34 = same2(+ t 28, + w 48);
    }
    piece 20 {
        keep 39 = same3(+ t 54, - t 24, + w 41);
        keep 26 = all(+ t 39, + t 50, + t 26);
        keep 43 = shl(+ w 60, 20);
        local x0 = same3(+ t 27, - t 43, - t 48);
        local x1 = shl(+ x x0, 4);
        local x2 = shl(+ t 23, 23);
        vector 1 = all(+ t 34, + t 29, + t 26, + x x1, + x x2);
        keep 23 = same3(+ t 37, + w 52, + w 53);
        keep 29 = same2(+ w 47, + w 48);
    }
    piece 21 {
        keep 3 = all(+ t 29, + t 3, + t 45);
        keep 47 = same2(+ t 0, - t 54);
        local x0 = shl(+ t 25, 1);
        keep 52 = shl(+ w 56, 25);
        local x1 = same3(+ t 52, + w 58, + w 59);
        local x2 = shl(+ w 58, 25);
        local x3 = same2(+ x x2, + w 62);
        vector 29 = all(+ t 39, + t 41, + t 25, + t 23, + t 3, + t 47, + x x0, + x x1, + x x3);
    }
    piece 22 {
        local x0 = shr(+ w 36, 2);
        local x1 = same3(+ x x0, - t 38, - w 41);
        local x2 = shl(+ x x1, 1);
        keep 25 = shl(+ w 51, 25);
        local x3 = same3(+ t 25, + w 54, - w 56);
        local x4 = same3(+ t 18, + w 56, + w 57);
        keep 18 = same2(+ t 24, + w 44);
        keep 9 = all(+ t 9, + t 53, + t 20, + t 18, + t 41);
        vector 21 = all(+ x x2, + t 3, + x x3, + x x4, + t 9);
        keep 3 = same2(+ w 51, + w 52);
    }
    piece 23 {
        keep 14 = all(+ t 13, + t 14);
        local x0 = shr(+ w 39, 2);
        local x1 = same3(+ x x0, - t 24, - w 44);
        local x2 = shl(+ x x1, 1);
        keep 20 = shl(+ w 54, 25);
        local x3 = same3(+ t 20, + w 56, + w 57);
        local x4 = same3(+ t 52, - w 57, + w 60);
        vector 27 = all(+ t 51, + t 19, + t 3, + t 18, + t 14, + t 22, + t 47, + x x2, + x x3, + x x4);
    }
    piece 24 {
        local x0 = same2(+ t 0, - w 41);
        local x1 = same3(+ t 28, + w 46, + w 47);
        local x2 = all(+ t 32, + t 2, + t 19);
        keep 2 = all(+ x x2, + t 40);
        vector 11 = all(+ t 31, + x x0, + x x1, + t 2, + t 9);
        keep 9 = shl(+ t 49, 29);
        keep 8 = all(+ t 50, + t 44, + t 8, + t 55, + t 3);
        vector 7 = all(+ t 33, + t 42, + x x2, + t 9, + t 8);
        keep 18 = all(+ t 29, + x x1);
    }
    piece 25 {
        keep 19 = same2(+ w 57, + w 58);
        local x0 = shl(+ t 21, 1);
        keep 22 = shl(+ w 57, 25);
        local x1 = same3(+ t 22, - w 58, + w 61);
        vector 28 = all(+ t 10, + t 3, + t 17, + t 21, + t 18, + t 19, + t 7, + x x0, + x x1);
    }
    piece 26 {
        keep 3 = shl(+ w 52, 25);
        keep 7 = same3(+ t 3, + w 54, + w 55);
        local x0 = shl(+ t 34, 1);
        local x1 = same2(+ t 43, + t 48);
        local x2 = shl(+ x x1, 5);
        vector 31 = all(+ t 34, + t 26, + t 4, + t 7, + t 5, + x x0, + x x2);
    }
    piece 27 {
        local x0 = shr(+ w 37, 2);
        local x1 = same3(+ x x0, - t 54, - w 42);
        local x2 = shl(+ x x1, 1);
        keep 5 = all(+ t 45, + t 32, + t 36);
        local x3 = same3(+ t 20, - w 55, + w 58);
        vector 23 = all(+ t 55, + t 46, + x x2, + t 5, + t 7, + x x3, + t 19);
    }
    piece 28 {
        local x0 = same2(+ t 54, - w 43);
        local x1 = same3(+ t 37, - t 3, - w 56);
        local x2 = all(+ x x1, + t 4);
        vector 15 = all(+ x x0, + t 45, + t 2, + x x2, + t 11);
        local x3 = shr(+ w 35, 2);
        local x4 = same3(+ x x3, - t 0, - w 40);
        local x5 = shl(+ x x4, 1);
        vector 20 = all(+ t 1, + t 9, + t 12, + x x2, + x x5, + t 18, + t 23);
    }
    piece 29 {
        keep 0 = same3(+ t 25, + w 54, + w 55);
        local x0 = shl(+ t 13, 1);
        local x1 = same2(+ t 22, + w 59);
        local x2 = same2(+ t 27, + w 63);
        vector 30 = all(+ t 41, + t 0, + t 5, + x x0, + x x1, + x x2, + t 30);
    }
    piece 30 {
        local x0 = shl(+ t 44, 1);
        local x1 = same2(+ t 38, - t 54);
        local x2 = same3(+ t 15, - t 25, + w 52);
        local x3 = all(+ x x2, + t 0);
        vector 13 = all(+ t 29, + t 6, + t 55, + t 16, + x x0, + x x1, + t 46, + x x3);
        vector 19 = all(+ t 35, + x x0, + x x3, + t 14, + t 8);
    }
}
