// A user's C++ program: a rod in free flight keeps its momentum. Exits 0 when it did.
#include <cmath>
#include <cordage/cordage.h>
#include <iostream>
#include <memory>
#include <vector>

int main() {
    cdg_error error = {};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = {0, 0, 0};
    world_def.step = 0.001;
    cdg_world *created = nullptr;
    if (cdg_world_create(&world_def, &created, &error) != CDG_OK) {
        std::cerr << error.message << "\n";
        return 1;
    }
    std::unique_ptr<cdg_world, void (*)(cdg_world *)> world(created, cdg_world_destroy);

    cdg_rod_def rod_def = cdg_rod_def_default();
    rod_def.name = "strand";
    rod_def.velocity = {1, 2, 3};
    cdg_rod_id rod = {};
    cdg_result result = cdg_world_add_rod(world.get(), &rod_def, &rod);
    for (int i = 0; i < 10 && result == CDG_OK; i++) result = cdg_world_step(world.get(), nullptr);
    cdg_rod_info info = {};
    if (result == CDG_OK) result = cdg_rod_get_info(world.get(), rod, &info);
    std::vector<cdg_vec3> positions(info.node_count);
    if (result == CDG_OK) result = cdg_rod_positions(world.get(), rod, positions.data());
    if (result != CDG_OK) {
        std::cerr << cdg_world_message(world.get()) << "\n";
        return 1;
    }

    cdg_vec3 linear = {}, angular = {};
    cdg_world_momentum(world.get(), &linear, &angular);
    std::cout << "cordage " << cdg_version() << ": first node at " << positions[0].x << " " << positions[0].y << " "
              << positions[0].z << "\n";
    return std::abs(linear.z - 3 * info.mass) < 1e-9 * info.mass && std::abs(positions[0].z - 0.03) < 1e-9 ? 0 : 1;
}
