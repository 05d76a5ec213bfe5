/* public.c - the public names of libheddle-stub.a. The runtime defines these names itself. */
#include "stub/stub.h"

#include <stddef.h>

bool heddle_running(void) {
    return false;
}
int heddle_choose(int count) {
    return stub_choose(count);
}
void heddle_assume(bool condition) {
    if (!condition)
        stub_assume();
}
void heddle_yield(void) {
    stub_yield();
}
void heddle_atomic_begin(void) {
    stub_atomic_begin();
}
void heddle_atomic_end(void) {
    stub_atomic_end();
}
void heddle_note(const char *format, ...) {
    (void)format;
}
void heddle_hint(const char *what) {
    (void)what;
}
void heddle_send(struct heddle_mailbox *mailbox, void *message) {
    stub_send(mailbox, message);
}
void *heddle_receive(struct heddle_mailbox *mailbox) {
    return stub_receive(mailbox, NULL, NULL);
}
bool heddle_try_receive(struct heddle_mailbox *mailbox, void **message) {
    return stub_try_receive(mailbox, NULL, NULL, message);
}
void *heddle_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                        void *context) {
    return stub_receive(mailbox, predicate, context);
}
bool heddle_try_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                           void *context, void **message) {
    return stub_try_receive(mailbox, predicate, context, message);
}
void heddle_assertion_failed(const char *condition, const char *file, int line) {
    stub_assertion_failed(condition, file, line);
}
