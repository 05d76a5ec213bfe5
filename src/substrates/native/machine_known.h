/* machine_known.h - steps of machines that were made before, and need not be made again.
 *
 * What a machine does about an event depends on its slot and on nothing else (machine_access sees to that), and what a
 * send does, on the slots of sender, receiver, and the monitors that look on. So while states are remembered, the
 * outcome of such a step is kept: the versions that these slots had before it, and those that they have after it. The
 * same step in another state of the program is then no more than a few numbers, and neither runs code nor touches the
 * bytes of a slot.
 *
 * Left out, and made each time: steps with choices in them, creations, halts and other ends, steps of more than one
 * event, and the last step of an execution. Now and then a step that is known is made all the same, and compared. */
#ifndef NATIVE_MACHINE_KNOWN_H
#define NATIVE_MACHINE_KNOWN_H

#include "substrates/native/machine.h"

/* The task moves, if what comes of it is known. */
bool known_step(uint32_t id);

/* Around a step that is made. */
void known_begin(uint32_t id);
void known_learn(void);

#endif
