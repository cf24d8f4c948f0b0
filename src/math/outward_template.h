// The passes of outward.h for one kind of chain. Included with KIND(name), TURNS (unknowns of a turn), WIDTH (unknowns
// that a transfer reads), RECORD, LEFT, RIGHT, CORE (offsets of outward.h) and, for turns about three axes, LEVER.
//
// The unknowns are u + v, where u comes from loads at or before a place and v from those after it. u is carried on from
// element to element by the transfers to the right and v by those to the left, so loads anywhere take two passes and no
// memory. The state of a pass is (x_j, t_j, x_{j+1}) of the element that it is at; beyond the loads, where it matters,
// it is in a vector, of a thick chain only what the next transfer reads.

#define OUT (3 + TURNS)
#define STATE (6 + TURNS)

INLINE void KIND(to_right)(const double *restrict matrix, double *restrict state) {
    double sum[OUT] = {0};
    for (int column = 0; column < WIDTH; column++)
        for (int row = 0; row < OUT; row++) sum[row] += matrix[OUT * column + row] * state[STATE - WIDTH + column];
    memcpy(state, state + OUT, 3 * sizeof(double));
    memcpy(state + 3, sum, sizeof sum);
}

INLINE void KIND(to_left)(const double *restrict matrix, double *restrict state) {
    double sum[OUT] = {0};
    for (int column = 0; column < WIDTH; column++)
        for (int row = 0; row < OUT; row++) sum[row] += matrix[OUT * column + row] * state[column];
    memcpy(state + OUT, state, 3 * sizeof(double));
    memcpy(state, sum, sizeof sum);
}

INLINE double KIND(turn_of)(const double *record, const double *state) {
#ifdef LEVER
    return record[LEVER] * state[3] + record[LEVER + 1] * state[4] + record[LEVER + 2] * state[5];
#else
    (void)record;
    return state[3];
#endif
}

// The largest of the position at `at` in the state and of what the turn does to the surface.
INLINE double KIND(reach_of)(const double *state, int at, double radius) {
    double turn = fabs(state[3]);
    for (int k = 1; k < TURNS; k++) turn = larger(turn, fabs(state[3 + k]));
    return larger(size_of(state + at), radius * turn);
}

INLINE row8 KIND(product)(const double *matrix, row8 in) { // two chains of dependent sums
    row8 even = in[0] * read8(matrix), odd = in[1] * read8(matrix + OUT);
    for (int column = 2; column < WIDTH; column += 2) even += in[column] * read8(matrix + OUT * column);
    for (int column = 3; column < WIDTH; column += 2) odd += in[column] * read8(matrix + OUT * column);
    return even + odd;
}

// The next state, where t and the position that the pass comes to are at FAR_T and FAR_X (to the right), or 3 and 0.
#if WIDTH == 6
#define FAR_T 0
#define FAR_X 3
#define TO_RIGHT(state, sum) (sum)
#define TO_LEFT(state, sum) (sum)
#else
#define FAR_T 3
#define FAR_X 4
#define TO_RIGHT(state, sum) __builtin_shufflevector(state, sum, 4, 5, 6, 8, 9, 10, 11, 7)
#define TO_LEFT(state, sum) __builtin_shufflevector(sum, state, 0, 1, 2, 3, 8, 9, 10, 15)
#endif

INLINE double KIND(turn_in)(const double *record, row8 state, int t) {
#ifdef LEVER
    return record[LEVER] * state[t] + record[LEVER + 1] * state[t + 1] + record[LEVER + 2] * state[t + 2];
#else
    (void)record;
    return state[t];
#endif
}

INLINE bool KIND(is_felt)(row8 state, int t, int x, double radius, double limit) {
    if (limit == 0) return true;
    double turn = fabs(state[t]);
    for (int k = 1; k < TURNS; k++) turn = larger(turn, fabs(state[t + k]));
    double reach = larger(larger(fabs(state[x]), fabs(state[x + 1])), fabs(state[x + 2]));
    return !(larger(reach, radius * turn) < limit);
}

// What the loads of an element alone do to it; false: there are none.
static bool KIND(answer_core)(const outward_push *push, size_t element, bool is_last, double out[STATE]) {
    const double *record = push->records + element * RECORD, *core = record + CORE;
    double load[STATE] = {0};
    bool has_load = false;
    for (int side = 0; side <= (is_last ? 1 : 0); side++) {
        size_t node = element + (size_t)side;
        if (!is_in(push->nodes, node)) continue;
        for (int k = 0; k < 3; k++) load[OUT * side + k] = push->force[k][node];
        has_load = true;
    }
    if (push->torque != NULL && is_in(push->elements, element)) {
#ifdef LEVER
        for (int k = 0; k < 3; k++) load[3 + k] = push->torque[element] * record[LEVER + k];
#else
        load[3] = push->torque[element];
#endif
        has_load = true;
    }
    memset(out, 0, STATE * sizeof(double));
    if (!has_load) return false;
    for (int row = 0; row < STATE; core += ++row) {
        double sum = core[row] * load[row];
        for (int column = 0; column < row; column++) {
            sum += core[column] * load[column];
            out[column] += core[column] * load[row];
        }
        out[row] += sum;
    }
    return true;
}

// out = core x load, loads on x_{j+1} being zero.
INLINE void KIND(core_product)(const double *restrict core, const double load[OUT], double out[STATE]) {
#pragma GCC unroll 9
    for (int row = 0; row < STATE; row++) out[row] = 0;
#pragma GCC unroll 9
    for (int row = 0; row < STATE; row++)
#pragma GCC unroll 9
        for (int column = 0; column <= row; column++) {
            double entry = core[row * (row + 1) / 2 + column];
            if (column < OUT) out[row] += entry * load[column];
            if (row < OUT && column < row) out[column] += entry * load[row];
        }
}

INLINE void KIND(element_core)(const outward_push *push, size_t j, double out[STATE]) {
    const double *record = push->records + j * RECORD;
    double load[OUT] = {push->force[0][j], push->force[1][j], push->force[2][j]};
#ifdef LEVER
    for (int k = 0; k < 3; k++) load[3 + k] = push->torque[j] * record[LEVER + k];
#else
    load[3] = push->torque[j];
#endif
    KIND(core_product)(record + CORE, load, out);
}

// Whether several elements of an open chain are loaded throughout, and either they are all of it and wanted whole, or
// nothing beyond them is wanted.
INLINE bool KIND(is_dense)(const outward_push *push) {
    size_t count = push->element_count;
    outward_range nodes = push->nodes[0], elements = push->elements[0];
    if (push->torque == NULL || push->node_count != count + 1 || push->nodes[1].end > push->nodes[1].first)
        return false;
    if (elements.first != nodes.first || elements.end + 1 != nodes.end) return false;
    return push->cutoff == 0 ? nodes.first == 0 && nodes.end == count + 1
                             : push->cutoff > 1 && nodes.end > nodes.first + 3;
}

// Numbers as a vector, by registers: a vector that is read where numbers were just written has to wait for them.
INLINE row8 KIND(vector_of)(const double *numbers, int count) {
    row8 out = {0};
#pragma GCC unroll 8
    for (int k = 0; k < 8; k++)
        if (k < count) out[k] = numbers[k];
    return out;
}

// Loads everywhere in a range: both passes at once, from either of its ends to the other. To the bit what the whole
// chain answers there when there are no loads elsewhere.
INLINE outward_answer KIND(answer_dense)(const outward_push *push, double *const move[3], double *turn) {
    const double *records = push->records;
    const size_t first = push->nodes[0].first, end = push->nodes[0].end - 1, count = end - first;
    outward_answer out = {push->nodes[0], {0}, {0}};
    for (int k = 0; k < 3; k++) memset(move[k] + first, 0, (count + 1) * sizeof(double));
    memset(turn + first, 0, count * sizeof(double));
    double core[STATE], left_core[STATE];
    row8 u = {0}, v = {0};
    for (size_t i = first; i < end; i++) {
        // what comes from the left arrives at element i
        const double *record = records + i * RECORD;
        if (i + 1 < end)
            KIND(element_core)(push, i, core);
        else
            KIND(answer_core)(push, i, true, core);
        row8 before = u, at = i > first ? KIND(product)(record + RIGHT, u) : (row8){0};
        u = TO_RIGHT(before, at + KIND(vector_of)(core + 3, OUT));
#if WIDTH == 6
        for (int k = 0; k < 3; k++) move[k][i] += before[FAR_X + k] + core[k];
#else
        for (int k = 0; k < 3; k++) u[k] += core[k];
        for (int k = 0; k < 3; k++) move[k][i] += u[k];
#endif
        turn[i] += KIND(turn_in)(record, u, FAR_T);
        // and from the right at element j
        size_t j = end - 1 - (i - first);
        record = records + j * RECORD;
        if (i > first) {
            v = TO_LEFT(v, KIND(product)(record + LEFT, v));
            for (int k = 0; k < 3; k++) move[k][j] += v[k];
            turn[j] += KIND(turn_in)(record, v, 3);
        }
        if (j == 0)
            for (int k = 0; k < TURNS; k++) out.first[k] += v[3 + k];
        if (i > first)
            KIND(element_core)(push, j, left_core);
        else
            KIND(answer_core)(push, j, true, left_core);
        v += KIND(vector_of)(left_core, WIDTH);
        if (i == 0)
            for (int k = 0; k < TURNS; k++) out.first[k] = u[FAR_T + k];
    }
    for (int k = 0; k < 3; k++) move[k][end] += u[FAR_X + k];
    for (int k = 0; k < TURNS && end == push->element_count; k++) out.last[k] = u[FAR_T + k];
    return out;
}

INLINE outward_answer KIND(answer)(const outward_push *push, size_t first, size_t last, double *const move[3],
                                   double *turn) {
    if (KIND(is_dense)(push)) return KIND(answer_dense)(push, move, turn);
    const double *records = push->records;
    const double radius = push->radius;
    const size_t count = push->element_count;
    outward_answer out = {{first, last + 2}, {0}, {0}};
    double u[STATE] = {0}, v[STATE], core[STATE], largest = 0;
    for (size_t j = first; j <= last; j++) {
        const double *record = records + j * RECORD;
        if (j > first) KIND(to_right)(record + RIGHT, u);
        if (KIND(answer_core)(push, j, j == last, core))
            for (int k = 0; k < STATE; k++) u[k] += core[k];
        put(move, j, u);
        turn[j] = KIND(turn_of)(record, u);
        largest = larger(largest, larger(KIND(reach_of)(u, 0, radius), size_of(u + OUT)));
        if (j == 0) memcpy(out.first, u + 3, TURNS * sizeof(double));
    }
    if (last + 1 < push->node_count) put(move, last + 1, u + OUT);

    memcpy(v, core, sizeof v);
    for (size_t j = last; j-- > first;) {
        const double *record = records + j * RECORD;
        KIND(to_left)(record + LEFT, v);
        add(move, j, v);
        turn[j] += KIND(turn_of)(record, v);
        for (int k = 0; k < TURNS && j == 0; k++) out.first[k] += v[3 + k];
        if (KIND(answer_core)(push, j, false, core))
            for (int k = 0; k < STATE; k++) v[k] += core[k];
    }

    // Outwards on both sides at once: each is one chain of dependent operations, which the other's fill.
    double limit = push->cutoff * largest;
    size_t right = last + 1, left = first;
    double padded[STATE + 8] = {0}; // vectors are read whole
    memcpy(padded, u + STATE - WIDTH, WIDTH * sizeof(double));
    row8 on_right = read8(padded);
    memcpy(padded, v, WIDTH * sizeof(double));
    row8 on_left = read8(padded);
    bool goes_right = right < count && KIND(is_felt)(on_right, FAR_T, FAR_X, radius, limit);
    bool goes_left = left > 0 && KIND(is_felt)(on_left, 3, 0, radius, limit);
    while (goes_right || goes_left) {
        if (goes_right) {
            const double *record = records + right * RECORD;
            row8 sum = KIND(product)(record + RIGHT, on_right);
            on_right = TO_RIGHT(on_right, sum);
            turn[right] = KIND(turn_in)(record, on_right, FAR_T);
            if (++right < push->node_count)
                move[0][right] = on_right[FAR_X], move[1][right] = on_right[FAR_X + 1],
                move[2][right] = on_right[FAR_X + 2];
            goes_right = right < count && KIND(is_felt)(on_right, FAR_T, FAR_X, radius, limit);
        }
        if (goes_left) {
            const double *record = records + --left * RECORD;
            row8 sum = KIND(product)(record + LEFT, on_left);
            on_left = TO_LEFT(on_left, sum);
            turn[left] = KIND(turn_in)(record, on_left, 3);
            move[0][left] = on_left[0], move[1][left] = on_left[1], move[2][left] = on_left[2];
            goes_left = left > 0 && KIND(is_felt)(on_left, 3, 0, radius, limit);
        }
    }
    for (int k = 0; k < TURNS; k++) {
        if (right == count) out.last[k] = on_right[FAR_T + k];
        if (left == 0 && first > 0) out.first[k] = on_left[3 + k];
    }
    out.nodes = (outward_range){left, right + 1};
    return out;
}

#undef FAR_T
#undef FAR_X
#undef TO_RIGHT
#undef TO_LEFT
#undef OUT
#undef STATE
#undef KIND
#undef TURNS
#undef WIDTH
#undef RECORD
#undef LEFT
#undef RIGHT
#undef CORE
#undef LEVER
