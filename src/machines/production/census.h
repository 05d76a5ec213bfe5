/* census.h - counts exactly how many machines are busy.
 *
 * A machine is busy from its creation on, and rests while it waits. A machine reports itself
 * that it goes to rest. The machine that wakes it reports that it is busy again, before the
 * waking machine may rest itself. So if no machine is busy, none will ever be busy again. A
 * machine that was woken to look once more counts as busy. */
#ifndef MACHINES_PRODUCTION_CENSUS_H
#define MACHINES_PRODUCTION_CENSUS_H

#include <stdint.h>

/* More machines are busy. Called by a busy machine, or before the first machine runs. */
void census_busy(uint32_t more);
void census_rest(void);

/* Waits until no machine is busy. */
void census_wait(void);

#endif
