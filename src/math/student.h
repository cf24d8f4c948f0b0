// Student's t distribution: how far an estimate may be from the truth when the noise itself was estimated.
#ifndef CDG_MATH_STUDENT_H
#define CDG_MATH_STUDENT_H

// P(|T| <= t) with `freedom` degrees of freedom, t >= 0, freedom > 0.
double student_within(double t, double freedom);
// The t within which a share of all T lies: 1.96 for 0.95 and very many degrees, 12.7 for one. 0 < share < 1.
double student_limit(double share, double freedom);

#endif
