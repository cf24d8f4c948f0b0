// Reading an earlier document of `cordage bench --json`. JSON is YAML, so the scenes' reader of trees takes it.
#include "bench_baseline.h"

#include "base/error.h"
#include "output/disk.h"
#include "scene/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench_baseline {
    scene_storage *storage; // owns the tree
    const scene_node *workloads;
    const char *processor;
};

void bench_baseline_free(bench_baseline *baseline) {
    if (baseline == NULL) return;
    cdg_storage_destroy(baseline->storage);
    free(baseline);
}

static bool is_text(const scene_node *map, const char *key, const char *text) {
    const scene_node *value = cdg_tree_get(map, key);
    return value != NULL && value->kind == SCENE_SCALAR && strcmp(value->text, text) == 0;
}

cdg_result bench_baseline_read(const char *path, bench_baseline **out, cdg_error *error) {
    enum { BYTES_MAX = 64 * 1024 * 1024 };
    char *text = NULL;
    size_t size = 0;
    *out = NULL;
    cdg_result result = cdg_disk_read_file(path, BYTES_MAX, &text, &size, error);
    if (result != CDG_OK) return result;
    bench_baseline *baseline = calloc(1, sizeof *baseline);
    if (baseline != NULL) baseline->storage = cdg_storage_create(0);
    if (baseline == NULL || baseline->storage == NULL) {
        free(text);
        free(baseline);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    }
    scene_diagnostics diagnostics = {.storage = baseline->storage};
    const scene_node *tree = cdg_tree_parse(text, size, NULL, baseline->storage, &diagnostics);
    free(text);
    baseline->workloads = cdg_tree_get(tree, "workloads");
    if (baseline->workloads == NULL || baseline->workloads->kind != SCENE_LIST || !is_text(tree, "command", "bench")) {
        bench_baseline_free(baseline);
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: this is no document of 'cordage bench --json'; make one with cordage bench --json > FILE",
                        path);
    }
    const scene_node *processor = cdg_tree_get(tree, "processor");
    baseline->processor = processor != NULL && processor->kind == SCENE_SCALAR ? processor->text : "";
    *out = baseline;
    return CDG_OK;
}

const char *bench_baseline_processor(const bench_baseline *baseline) { return baseline->processor; }

static const scene_node *find_item(const scene_node *list, const char *key, const char *text, const char *unit) {
    for (size_t i = 0; list != NULL && list->kind == SCENE_LIST && i < list->count; i++)
        if (is_text(list->items[i], key, text) && (unit == NULL || is_text(list->items[i], "unit", unit)))
            return list->items[i];
    return NULL;
}

bool bench_baseline_find(const bench_baseline *baseline, const char *workload, const char *label, const char *unit,
                         double *median) {
    const scene_node *item = find_item(baseline->workloads, "name", workload, NULL);
    const scene_node *row = find_item(cdg_tree_get(item, "rows"), "label", label, unit);
    const scene_node *value = cdg_tree_get(row, "median");
    if (value == NULL || value->kind != SCENE_SCALAR) return false;
    char *end;
    *median = strtod(value->text, &end);
    return end != value->text && *end == '\0' && isfinite(*median) && *median > 0;
}

bool bench_is_regression(double median, double baseline) { return median > 1.1 * baseline; }
