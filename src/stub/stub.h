/* stub.h - <heddle/heddle.h> without the tool: real threads, real queues, random choices. The
 * runtime uses these functions if there is no session; libheddle-stub.a offers them under their
 * public names. */
#ifndef STUB_STUB_H
#define STUB_STUB_H

#include <heddle/heddle.h>

int stub_choose(int count);
_Noreturn void stub_assume(void);
_Noreturn void stub_assertion_failed(const char *condition, const char *file, int line);
void stub_yield(void);
void stub_atomic_begin(void);
void stub_atomic_end(void);
void stub_send(struct heddle_mailbox *mailbox, void *message);
void *stub_receive(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context);
bool stub_try_receive(struct heddle_mailbox *mailbox, heddle_predicate *predicate, void *context,
                      void **message);

#endif
