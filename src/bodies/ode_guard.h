// ODE's process-wide state behind one door: started when first needed, closed after the last use, and errors that would
// end the process come back as results.
#ifndef CDG_BODIES_ODE_GUARD_H
#define CDG_BODIES_ODE_GUARD_H

#include <cordage/base.h>

bool cdg_ode_acquire(void); // false: ODE does not start
void cdg_ode_release(void);

// Runs `work` between the two above, from any thread. When ODE reports an error, work ends there: what it was changing
// is then fit for nothing but being left alone.
cdg_result cdg_ode_run(void (*work)(void *user), void *user, cdg_error *error);

#endif
