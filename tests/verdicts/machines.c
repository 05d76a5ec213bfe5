/* machines.c - for docs/VERDICTS.md: a machine that creates another one and sends it an event.
 * There is one order. */
#include <heddle/machine.h>

EVENT(GO);
struct nothing {
    char nothing;
};
DECLARE_MACHINE(Child, struct nothing);
MACHINE(Child, START("Here", IGNORE(GO)));
DECLARE_MACHINE(Parent, struct nothing);

static void begin(struct nothing *me) {
    (void)me;
    machine_send(machine_create(Child), GO);
}
MACHINE(Parent, START("Here", ENTRY(begin)));

int main(void) {
    return machine_start(Parent);
}
