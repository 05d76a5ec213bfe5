/* machine.c - the public names of libheddle-machines.a. The runtime defines these names itself. */
#include "machines/production.h"

void machine_watch_at(const struct machine_type *type, const void *memory) {
    production_watch(type, memory);
}
int machine_start_at(const struct machine_type *type, const void *memory) {
    return production_start(type, memory);
}
machine_id machine_create_at(const struct machine_type *type, const void *memory) {
    return production_create(type, memory);
}
void machine_send_at(const struct machine_channel *channel, machine_id to,
                     const struct machine_event *event, const void *payload, size_t size) {
    production_send(channel, to, event, payload, size);
}
void machine_announce_at(const struct machine_event *event, const void *payload, size_t size) {
    production_announce(event, payload, size);
}
void machine_raise_at(const struct machine_event *event, const void *payload, size_t size) {
    production_raise(event, payload, size);
}
void machine_goto(const char *state) {
    production_move(THEN_GOTO, state);
}
void machine_push(const char *state) {
    production_move(THEN_PUSH, state);
}
void machine_pop(void) {
    production_move(THEN_POP, NULL);
}
void machine_halt(void) {
    production_move(THEN_HALT, NULL);
}
const struct machine_message *machine_receive_at(const struct machine_event *const *events) {
    return production_receive(events);
}
machine_id machine_self(void) {
    return production_self();
}
machine_id machine_sender(void) {
    return production_sender();
}
machine_id machine_receiver(void) {
    return production_receiver();
}
