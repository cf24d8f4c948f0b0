// Filling surfaces with tetrahedra, one core: a mesh of a million elements with its memory, and the thesis' vote on 150
// voxels along each side (appendix A: 2.8 thousand triangles, 29 s there).
#include "bench/case_functions.h"
#include "validation/mesh_bodies.h"

#include "math/vec3.h"
#include "meshing/vote.h"

cdg_result bench_mesh_fill(bench_context *context, cdg_error *error) {
    cdg_mesh surface;
    double seconds[16] = {0}, bytes = 0, elements = 0;
    int repeat = context->repeat < 16 ? context->repeat : 16;
    cdg_result result = mesh_body(1, 2, &surface) ? CDG_OK : CDG_ERROR_MEMORY;
    cdg_mesher_options o = cdg_mesher_options_default();
    o.size = 0.0335; // of a torus with tubes 0.8 m thick, elements alike everywhere
    o.grading = 0;
    o.thread_count = 1;
    for (int i = 0; i < repeat && result == CDG_OK; i++) {
        cdg_mesh mesh;
        cdg_mesher_report report;
        double began = bench_own_clock();
        result = cdg_mesh_fill(&surface, &o, &mesh, &report, error);
        seconds[i] = bench_own_clock() - began;
        if (result == CDG_OK) elements = (double)mesh.tetrahedron_count;
        if (result == CDG_OK) bytes = (double)report.peak_bytes / elements;
        bench_check(context, elements > 9e5, "the mesh has about a million elements");
        cdg_mesh_free(&mesh);
        bench_progress(context, (i + 1.0) / repeat);
    }
    cdg_mesh_free(&surface);
    bench_add_row(context, "a million elements", "s", 4);
    for (int i = 0; i < repeat && result == CDG_OK; i++) bench_add_sample(context, seconds[i] * 1e6 / elements);
    bench_add_row(context, "memory at the peak", "B/element", 400);
    if (result == CDG_OK) bench_add_sample(context, bytes);
    return result;
}

// Leaves of a ball: nothing but a vote can tell inside from outside.
cdg_result bench_mesh_vote(bench_context *context, cdg_error *error) {
    cdg_mesh surface;
    cdg_budget budget = {.limit = (uint64_t)1 << 32};
    cdg_soup soup = {0};
    bool has_memory = mesh_body(0, 1, &surface) && mesh_damage_surface(&surface, MESH_LEAVES, 1);
    cdg_result result = has_memory ? cdg_soup_build(&surface, &budget, &soup, error) : CDG_ERROR_MEMORY;
    static const double close[] = {0.03, 0.2};
    static const char *const labels[] = {"holes of 2 voxels closed", "holes of 15 voxels closed"};
    for (int c = 0; c < 2 && result == CDG_OK; c++) {
        bench_add_row(context, labels[c], "s", 0.3);
        for (int i = 0; i < context->repeat && result == CDG_OK; i++) {
            cdg_vote vote;
            double began = bench_own_clock();
            if (!cdg_vote_build(&soup, close[c], 150, 1, &budget, &vote)) result = CDG_ERROR_MEMORY;
            bench_add_sample(context, bench_own_clock() - began);
            bench_check(context, result == CDG_OK && cdg_vote_at(&vote, vec3(0, 0, 0)) > 0.9, "the middle is inside");
            cdg_vote_free(&vote, &budget);
            bench_progress(context, (c + (i + 1.0) / context->repeat) / 2);
        }
    }
    cdg_soup_free(&soup, &budget);
    cdg_mesh_free(&surface);
    return result;
}
