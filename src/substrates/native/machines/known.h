/* known.h - steps of machines that were made before, and need not be made again.
 *
 * The reaction of a machine to an event depends on its slot and on nothing else (machine_access
 * sees to that). The effect of a send depends on the slot of the sender, on whether there is room
 * in the queue of the receiver, and on the slots of the monitors that look on. So while states are
 * remembered, the outcome of such a step is kept. The same step in another state of the program
 * then only changes a few numbers. It neither runs code nor touches the bytes of a slot.
 *
 * Left out, and made each time: steps with choices, creations, halts and other ends, steps of
 * more than one event, and the last step of an execution. Now and then a known step is made all
 * the same, and compared. */
#ifndef NATIVE_MACHINE_KNOWN_H
#define NATIVE_MACHINE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

struct fingerprint;

/* Makes the step of the task if its outcome is known; else returns false. */
bool known_step(uint32_t id);

/* The fingerprint of the state to which the step of the task leads. Returns false if its outcome is
 * not known, or if perhaps no machine can move afterwards. */
bool known_foresee(uint32_t id, struct fingerprint *out);

/* Before and after a step that is made. */
void known_begin(uint32_t id);
void known_learn(void);

#endif
