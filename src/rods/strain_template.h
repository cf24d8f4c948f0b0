// How strains follow from positions and frames: the one definition, for one node or element and for several in a
// vector. Included with REAL, VEC3, QUAT (members x, y, z and w), STRAIN(name), STRAIN_INLINE,
// STRAIN_TURNED(d, q) (-q where d < 0, else q) and STRAIN_AT_MOST_ONE(w) (|w|, or 1 where that is more or no number).
// Every operation is the same in all kinds of numbers, and none is contracted, so that their bits are, too.

STRAIN_INLINE VEC3 STRAIN(cross)(VEC3 a, VEC3 b) {
    return (VEC3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

STRAIN_INLINE REAL STRAIN(dot)(QUAT a, QUAT b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

// conj(q) v q: a vector in the axes of a frame.
STRAIN_INLINE VEC3 STRAIN(in_frame)(QUAT q, VEC3 v) {
    VEC3 u = {-q.x, -q.y, -q.z}, c = STRAIN(cross)(u, v), t = {2 * c.x, 2 * c.y, 2 * c.z}, d = STRAIN(cross)(u, t);
    return (VEC3){v.x + q.w * t.x + d.x, v.y + q.w * t.y + d.y, v.z + q.w * t.z + d.z};
}

// conj(a) b, of the sign that is nearest to `rest`.
STRAIN_INLINE QUAT STRAIN(turn)(QUAT a, QUAT b, QUAT rest) {
    REAL x = -a.x, y = -a.y, z = -a.z;
    QUAT turn = {a.w * b.w - x * b.x - y * b.y - z * b.z, a.w * b.x + x * b.w + y * b.z - z * b.y,
                 a.w * b.y - x * b.z + y * b.w + z * b.x, a.w * b.z + x * b.y - y * b.x + z * b.w};
    return STRAIN_TURNED(STRAIN(dot)(turn, rest), turn);
}

// Shear d1, shear d2 and stretch of an element as a Cosserat rod has them; `edge` leads from one node to the next.
STRAIN_INLINE VEC3 STRAIN(of_edge)(VEC3 edge, QUAT frame, REAL rest_length) {
    REAL scale = 1 / rest_length;
    VEC3 strain = STRAIN(in_frame)(frame, (VEC3){scale * edge.x, scale * edge.y, scale * edge.z});
    strain.z -= 1;
    return strain;
}

// Half a turn as models measure it that do so by the sine, the tangent or nearly the angle (frame_angle.h) of its half.
STRAIN_INLINE VEC3 STRAIN(half_turn)(cdg_pobd_darboux measure, QUAT turn) {
    VEC3 v = {turn.x, turn.y, turn.z};
    if (measure == CDG_POBD_SINE) return v;
    REAL size = STRAIN_AT_MOST_ONE(turn.w);
    REAL scale = measure == CDG_POBD_TANGENT ? 1 / turn.w : (14 + size) / (9 + 6 * size);
    return (VEC3){scale * v.x, scale * v.y, scale * v.z};
}

// Half the turn from rest, in axes midway between the sections': corde's measure (corde/terms.h).
STRAIN_INLINE VEC3 STRAIN(half_turn_from_rest)(QUAT turn, QUAT rest) {
    REAL share = -((STRAIN(dot)(turn, rest) + turn.w) / (1 + rest.w));
    return (VEC3){turn.x + share * rest.x, turn.y + share * rest.y, turn.z + share * rest.z};
}
