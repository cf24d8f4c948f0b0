// 3-vectors, 3x3 and symmetric 3x3 matrices over one scalar type, for code that runs on doubles and on SIMD vectors
// alike. Included (also repeatedly) with REAL, the scalar type, and BLOCK(name), which makes names of that type's
// instance. Only + - * / and a scalar's select are asked of REAL, so GCC's vector types serve. Members are named, not
// indexed: compilers keep them in registers.

#ifndef BLOCK_INLINE // forced: a product of blocks that is called passes a dozen vectors through memory
#define BLOCK_INLINE static inline __attribute__((always_inline))
#endif

typedef struct BLOCK(vector) {
    REAL x, y, z;
} BLOCK(vector);

typedef struct BLOCK(matrix) { // rows first: yx is row y, column x
    REAL xx, xy, xz, yx, yy, yz, zx, zy, zz;
} BLOCK(matrix);

typedef struct BLOCK(symmetric) {
    REAL xx, xy, xz, yy, yz, zz;
} BLOCK(symmetric);

#define VECTOR BLOCK(vector)
#define MATRIX BLOCK(matrix)
#define SYMMETRIC BLOCK(symmetric)

BLOCK_INLINE VECTOR BLOCK(add)(VECTOR a, VECTOR b) { return (VECTOR){a.x + b.x, a.y + b.y, a.z + b.z}; }
BLOCK_INLINE VECTOR BLOCK(subtract)(VECTOR a, VECTOR b) { return (VECTOR){a.x - b.x, a.y - b.y, a.z - b.z}; }
BLOCK_INLINE VECTOR BLOCK(scale)(REAL s, VECTOR a) { return (VECTOR){s * a.x, s * a.y, s * a.z}; }
BLOCK_INLINE VECTOR BLOCK(multiply_each)(VECTOR a, VECTOR b) { return (VECTOR){a.x * b.x, a.y * b.y, a.z * b.z}; }
BLOCK_INLINE REAL BLOCK(dot)(VECTOR a, VECTOR b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BLOCK_INLINE VECTOR BLOCK(cross)(VECTOR a, VECTOR b) {
    return (VECTOR){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

BLOCK_INLINE VECTOR BLOCK(apply)(MATRIX a, VECTOR v) { // a v
    return (VECTOR){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.yx * v.x + a.yy * v.y + a.yz * v.z,
                    a.zx * v.x + a.zy * v.y + a.zz * v.z};
}
BLOCK_INLINE VECTOR BLOCK(apply_transposed)(MATRIX a, VECTOR v) { // a^T v
    return (VECTOR){a.xx * v.x + a.yx * v.y + a.zx * v.z, a.xy * v.x + a.yy * v.y + a.zy * v.z,
                    a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
BLOCK_INLINE VECTOR BLOCK(apply_symmetric)(SYMMETRIC a, VECTOR v) {
    return (VECTOR){a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                    a.xz * v.x + a.yz * v.y + a.zz * v.z};
}

BLOCK_INLINE MATRIX BLOCK(transpose)(MATRIX a) {
    return (MATRIX){a.xx, a.yx, a.zx, a.xy, a.yy, a.zy, a.xz, a.yz, a.zz};
}
BLOCK_INLINE MATRIX BLOCK(from_symmetric)(SYMMETRIC a) {
    return (MATRIX){a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz};
}
BLOCK_INLINE MATRIX BLOCK(add_matrix)(MATRIX a, MATRIX b) {
    return (MATRIX){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
                    a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}
BLOCK_INLINE MATRIX BLOCK(subtract_matrix)(MATRIX a, MATRIX b) {
    return (MATRIX){a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
                    a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
}
BLOCK_INLINE MATRIX BLOCK(scale_matrix)(REAL s, MATRIX a) {
    return (MATRIX){s * a.xx, s * a.xy, s * a.xz, s * a.yx, s * a.yy, s * a.yz, s * a.zx, s * a.zy, s * a.zz};
}
BLOCK_INLINE MATRIX BLOCK(scale_rows)(VECTOR s, MATRIX a) { // diag(s) a
    return (MATRIX){s.x * a.xx, s.x * a.xy, s.x * a.xz, s.y * a.yx, s.y * a.yy,
                    s.y * a.yz, s.z * a.zx, s.z * a.zy, s.z * a.zz};
}
BLOCK_INLINE MATRIX BLOCK(scale_columns)(MATRIX a, VECTOR s) { // a diag(s)
    return (MATRIX){a.xx * s.x, a.xy * s.y, a.xz * s.z, a.yx * s.x, a.yy * s.y,
                    a.yz * s.z, a.zx * s.x, a.zy * s.y, a.zz * s.z};
}

BLOCK_INLINE MATRIX BLOCK(multiply)(MATRIX a, MATRIX b) { // a b
    return (MATRIX){a.xx * b.xx + a.xy * b.yx + a.xz * b.zx, a.xx * b.xy + a.xy * b.yy + a.xz * b.zy,
                    a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.yx * b.xx + a.yy * b.yx + a.yz * b.zx,
                    a.yx * b.xy + a.yy * b.yy + a.yz * b.zy, a.yx * b.xz + a.yy * b.yz + a.yz * b.zz,
                    a.zx * b.xx + a.zy * b.yx + a.zz * b.zx, a.zx * b.xy + a.zy * b.yy + a.zz * b.zy,
                    a.zx * b.xz + a.zy * b.yz + a.zz * b.zz};
}
BLOCK_INLINE MATRIX BLOCK(multiply_transposed)(MATRIX a, MATRIX b) { // a^T b
    return BLOCK(multiply)(BLOCK(transpose)(a), b);
}
BLOCK_INLINE MATRIX BLOCK(symmetric_multiply)(SYMMETRIC a, MATRIX b) { // a b
    return BLOCK(multiply)(BLOCK(from_symmetric)(a), b);
}

BLOCK_INLINE SYMMETRIC BLOCK(add_symmetric)(SYMMETRIC a, SYMMETRIC b) {
    return (SYMMETRIC){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
BLOCK_INLINE SYMMETRIC BLOCK(subtract_symmetric)(SYMMETRIC a, SYMMETRIC b) {
    return (SYMMETRIC){a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
BLOCK_INLINE SYMMETRIC BLOCK(scale_symmetric)(REAL s, SYMMETRIC a) {
    return (SYMMETRIC){s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
}
BLOCK_INLINE SYMMETRIC BLOCK(add_diagonal)(SYMMETRIC a, REAL d) {
    return (SYMMETRIC){a.xx + d, a.xy, a.xz, a.yy + d, a.yz, a.zz + d};
}
// a b for a product that is known to be symmetric: only the upper half is computed.
BLOCK_INLINE SYMMETRIC BLOCK(multiply_to_symmetric)(MATRIX a, MATRIX b) {
    return (SYMMETRIC){a.xx * b.xx + a.xy * b.yx + a.xz * b.zx, a.xx * b.xy + a.xy * b.yy + a.xz * b.zy,
                       a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.yx * b.xy + a.yy * b.yy + a.yz * b.zy,
                       a.yx * b.xz + a.yy * b.yz + a.yz * b.zz, a.zx * b.xz + a.zy * b.yz + a.zz * b.zz};
}
BLOCK_INLINE SYMMETRIC BLOCK(multiply_transposed_to_symmetric)(MATRIX a, MATRIX b) { // a^T b
    return BLOCK(multiply_to_symmetric)(BLOCK(transpose)(a), b);
}
BLOCK_INLINE SYMMETRIC BLOCK(symmetric_part)(MATRIX a) { // (a + a^T)/2
    return (SYMMETRIC){a.xx, (a.xy + a.yx) * 0.5, (a.xz + a.zx) * 0.5, a.yy, (a.yz + a.zy) * 0.5, a.zz};
}

// [v]x: [v]x u = v x u; the diagonal is set to `diagonal`, as the derivatives of quaternion products need.
BLOCK_INLINE MATRIX BLOCK(cross_matrix)(VECTOR v, REAL diagonal) {
    return (MATRIX){diagonal, -v.z, v.y, v.z, diagonal, -v.x, -v.y, v.x, diagonal};
}

// Inverse by cofactors: one division, and the leading minors that say whether `a` is positive definite come along.
BLOCK_INLINE SYMMETRIC BLOCK(inverse_symmetric)(SYMMETRIC a, REAL *minor_two, REAL *determinant) {
    REAL cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz, cxz = a.xy * a.yz - a.xz * a.yy;
    REAL czz = a.xx * a.yy - a.xy * a.xy;
    REAL cyy = a.xx * a.zz - a.xz * a.xz, cyz = a.xy * a.xz - a.xx * a.yz;
    REAL det = a.xx * cxx + a.xy * cxy + a.xz * cxz;
    *minor_two = czz;
    *determinant = det;
    REAL r = 1.0 / det;
    return (SYMMETRIC){r * cxx, r * cxy, r * cxz, r * cyy, r * cyz, r * czz};
}

#undef VECTOR
#undef MATRIX
#undef SYMMETRIC
