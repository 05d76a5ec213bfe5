/* census.h - how many machines are busy, counted exactly.
 *
 * A machine is busy from its creation on, and rests while it waits. It says itself that it goes to rest;
 * that it is busy again is said by whoever wakes it, before that one may rest. So nobody is busy only if
 * nobody will ever be again. Machines that were woken to look once more count as busy. */
#ifndef MACHINES_PRODUCTION_CENSUS_H
#define MACHINES_PRODUCTION_CENSUS_H

#include <stdint.h>

/* So many more are busy. Said by one who is, or before the first one runs. */
void census_busy(uint32_t more);
void census_rest(void);

/* Waits until nobody is busy. */
void census_wait(void);

#endif
