/* op_kind.c - the tables behind op_kind.h. */
#include "event/op_kind.h"

#include <stddef.h>

const struct op_info op_infos[OP_KINDS] = {
#define OP(kind, name, about, class, effect, act, wait, facts) \
    [OP_##kind] = {name,      ABOUT_##about, CLASS_##class, EFFECT_##effect, \
                   ACT_##act, AWAIT_##wait,  facts},
#include "event/op_kinds.def"
#undef OP
};

const struct op_subject_info op_subjects[OP_SUBJECTS] = {
#define SUBJECT(subject, noun, waited_for) [ABOUT_##subject] = {noun, waited_for},
#include "event/op_subjects.def"
#undef SUBJECT
};
