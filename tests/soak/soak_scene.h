// Random scenes that are valid, each from one seed: what `make soak` runs.
#ifndef CDG_TESTS_SOAK_SCENE_H
#define CDG_TESTS_SOAK_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct soak_scene {
    char *text; // YAML
    size_t size;
    const char *family; // "links", "net", ...
    int step_count;     // steps to take
    bool is_static;
    bool may_stop;       // from wild ranges: a sentence is as good as an end
    bool holds_solids;   // parts of solids are held, and may be led into each other
    bool keeps_topology; // contact acts from the start and nothing begins inside another: links and knots must stay
} soak_scene;

// The scene of a seed; free it with soak_scene_free. Text NULL: no memory. Another attempt gives another scene: rods
// must not begin in each other or in obstacles, which shows only when the scene is built.
soak_scene soak_scene_make(uint64_t seed, int attempt);
void soak_scene_free(soak_scene *scene);

// Files that scenes refer to (meshes, points), into a directory. False: they could not be written.
bool soak_scene_write_files(const char *directory);
void soak_scene_remove_files(const char *directory);

#endif
