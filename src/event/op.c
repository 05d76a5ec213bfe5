/* op.c - the table behind op.h. */
#include "event/op.h"

#include <string.h>

const struct op_info op_infos[OP_KINDS] = {
#define OP(kind, name, class, effect) [OP_##kind] = {name, class, effect},
#include "event/op_kinds.def"
#undef OP
};

enum op_kind op_kind_named(const char *name) {
    enum op_kind kind = 0;
    while (kind < OP_KINDS && strcmp(op_infos[kind].name, name) != 0)
        kind++;
    return kind;
}
