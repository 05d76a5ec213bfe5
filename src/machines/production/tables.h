/* tables.h - the checked table of each type that is in use. */
#ifndef MACHINES_PRODUCTION_TABLES_H
#define MACHINES_PRODUCTION_TABLES_H

#include "machines/table.h"

/* Makes the table at the first call. A wrong table ends the program. */
const struct machine_table *table_of(const struct machine_type *type);

/* When no machine and no monitor is left. */
void tables_forget(void);

#endif
