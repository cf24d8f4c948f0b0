// What the machine could compute: a plain loop of multiply-adds that touches no memory.
#ifndef BENCH_PLAIN_ARITHMETIC_H
#define BENCH_PLAIN_ARITHMETIC_H

// Seconds that `operations` additions and multiplications of doubles take on one core at best: pairs of both that do
// not wait for each other, in the widest vectors that the processor has. Divisions and roots, which take longer, and
// everything that is no arithmetic are left out, so nothing that does as many operations can be faster.
double plain_arithmetic_seconds(double operations);

#endif
