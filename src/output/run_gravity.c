// The run's own scene is read again (run_scene.h).
#include "output/run_gravity.h"

#include "output/run_scene.h"

cdg_vec3 cdg_run_reader_gravity(const cdg_run_reader *reader) {
    cdg_vec3 gravity = {0, 0, -9.81};
    cdg_scene *scene = cdg_run_reader_scene(reader);
    if (scene) gravity = scene->gravity;
    cdg_scene_destroy(scene);
    return gravity;
}
