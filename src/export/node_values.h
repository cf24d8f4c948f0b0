// What elements carry, taken to the nodes between them: for formats that know values at points only.
#ifndef CDG_EXPORT_NODE_VALUES_H
#define CDG_EXPORT_NODE_VALUES_H

#include "output/run_reader.h"

// Linear in rest arc length between the middles of the two elements at a node; the ends of an open rod take the value
// of their only element, and so does the first node of a closed rod with a joint. `values` has element_count, `out`
// node_count entries of component_count numbers.
void cdg_node_values_average(const cdg_run_rod *rod, bool has_joint, const double *values, size_t component_count,
                             double *out);

// The larger of the two elements' values, of one number each: levels of resolution.
void cdg_node_values_largest(const cdg_run_rod *rod, const double *values, double *out);

// What lies between two frames: on the shorter way from one to the other, of unit length, else as with the mean.
// Neighbouring nodes have quaternions of the same sign, from the first node on.
void cdg_node_values_frames(const cdg_run_rod *rod, bool has_joint, const cdg_quat *frames, cdg_quat *out);

// Whether the frames of a closed rod jump where it is joined, as those of a band with half a turn in it do: they differ
// by more than a quarter turn there. A value between such frames would mean nothing.
bool cdg_node_values_has_joint(const cdg_run_rod *rod, const cdg_quat *frames);

#endif
