/* typing.h - the keys of all views except the main one: scrolling a text, typing a line, the list
 * of breakpoints. */
#ifndef CLI_SIM_TYPING_H
#define CLI_SIM_TYPING_H

#include "cli/sim/keys.h"

void typing_in_text(struct simulation *self, int key);
void typing_in_prompt(struct simulation *self, int key);
void typing_in_breakpoints(struct simulation *self, int key);

#endif
