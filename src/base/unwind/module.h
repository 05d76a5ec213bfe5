/* module.h - the places of code and tables of a module that the loader knows. */
#ifndef BASE_UNWIND_MODULE_H
#define BASE_UNWIND_MODULE_H

#include <link.h>

#include "base/unwind/table.h"

struct unwind_module unwind_module_of(const struct dl_phdr_info *info);

#endif
