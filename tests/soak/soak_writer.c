// Words and numbers of random scenes (soak_writer.h).
#include "soak_writer.h"

#include "base/growing_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void put(writer *w, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= sizeof line ||
        !cdg_text_append(&w->scene.text, &w->scene.size, &w->capacity, line, (size_t)size)) {
        w->is_out_of_memory = true;
    }
}

int whole(writer *w, int low, int high) { // both may come
    return low + (int)(random_bits(&w->random) % (uint64_t)(high - low + 1));
}
bool chance(writer *w, double probability) { return random_unit(&w->random) < probability; }
double even(writer *w, double low, double high) { return random_in(&w->random, low, high); }
double decades(writer *w, double low, double high) { return low * pow(high / low, random_unit(&w->random)); }

void write_direction(writer *w) {
    cdg_vec3 v;
    do {
        v = random_vec3(&w->random, 1);
    } while (vec3_norm(v) < 0.1);
    put(w, "[%.3g, %.3g, %.3g]", v.x, v.y, v.z);
}

void write_vector(writer *w, double size) {
    cdg_vec3 v = random_vec3(&w->random, size);
    put(w, "[%.4g, %.4g, %.4g]", v.x, v.y, v.z);
}

static void write_ease(writer *w) {
    if (chance(w, 0.5)) put(w, ", ease: smooth");
}

void write_motion(writer *w, double size) {
    int parts = whole(w, 1, 2);
    put(w, ", motion: [");
    for (int i = 0; i < parts; i++) {
        double from = chance(w, 0.5) ? 0 : even(w, 0, 0.02), last = w->is_wild ? decades(w, 2e-3, 1) : even(w, 0.05, 1);
        put(w, i > 0 ? ", " : "");
        if (chance(w, 0.5)) {
            put(w, "{move: ");
            write_vector(w, size);
        } else {
            put(w, "{rotate: {axis: ");
            write_direction(w);
            put(w, ", angle: %.3g}", even(w, -3, 3) * fmin(1, last / 0.2));
        }
        put(w, ", from: %.4g, to: %.4g", from, from + last);
        write_ease(w);
        put(w, "}");
    }
    put(w, "]");
}
