// The distance transform of sampled functions: along each axis in turn, the lower envelope of parabolas.
#include "meshing/distance.h"

#include "base/parallel.h"

#include <math.h>

static const float far_away = 1e20F;

typedef struct transform {
    float *values;
    const int *count;
    int axis;
    float reach2;
    float *scratch; // of each thread: values, places and borders of a line
    size_t scratch_size;
} transform;

// `stride` between voxels of the line.
static void transform_line(float *line, int count, size_t stride, float reach2, float *value, float *border,
                           int *index) {
    int used = 0;
    for (int q = 0; q < count; q++) {
        value[q] = line[(size_t)q * stride];
        if (value[q] > reach2) continue;
        float meet = -far_away;
        while (used > 0) {
            int p = index[used - 1];
            meet = ((value[q] + (float)q * (float)q) - (value[p] + (float)p * (float)p)) / (float)(2 * (q - p));
            if (meet > border[used - 1]) break;
            used--;
        }
        border[used] = used == 0 ? -far_away : meet;
        index[used++] = q;
    }
    if (used == 0) return;
    for (int q = 0, k = 0; q < count; q++) {
        while (k + 1 < used && border[k + 1] < (float)q) k++;
        float d = (float)(q - index[k]);
        float found = d * d + value[index[k]];
        line[(size_t)q * stride] = found <= reach2 ? found : far_away;
    }
}

static void transform_slice(void *user, size_t index, int thread) { // all lines of the axis in one slice across
    transform *t = user;
    const int *n = t->count;
    float *value = t->scratch + (size_t)thread * t->scratch_size, *border = value + n[t->axis];
    int *slot = (int *)(border + n[t->axis] + 1);
    size_t row = (size_t)n[0], slice = row * (size_t)n[1];
    size_t stride = t->axis == 0 ? 1 : t->axis == 1 ? row : slice;
    int lines = t->axis == 0 ? n[1] : n[0];
    for (int i = 0; i < lines; i++) {
        size_t first = t->axis == 2 ? index * row + (size_t)i : index * slice + (size_t)i * (t->axis == 0 ? row : 1);
        transform_line(t->values + first, n[t->axis], stride, t->reach2, value, border, slot);
    }
}

bool cdg_distance_transform(float *values, const int count[3], double reach, int thread_count, cdg_budget *budget) {
    int longest = count[0] > count[1] ? count[0] : count[1];
    if (count[2] > longest) longest = count[2];
    transform t = {
        .values = values, .count = count, .reach2 = (float)(reach * reach), .scratch_size = 3 * (size_t)longest + 16};
    t.scratch = cdg_budget_take(budget, (size_t)thread_count * t.scratch_size, sizeof *t.scratch);
    if (t.scratch == NULL) return false;
    for (t.axis = 0; t.axis < 3; t.axis++)
        cdg_parallel_for((size_t)(t.axis == 2 ? count[1] : count[2]), thread_count, transform_slice, &t);
    cdg_budget_give(budget, t.scratch);
    return true;
}
