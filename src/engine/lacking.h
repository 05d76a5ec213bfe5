/* lacking.h - options that can turn out to be needed during a search. */
#ifndef ENGINE_LACKING_H
#define ENGINE_LACKING_H

/* An option that the search turned out to need. Without this option, the search is of no use. */
enum lacking {
    LACKS_NOTHING,
    LACKS_SHARED_STACKS,
    LACKS_THREAD_ENDS,
    LACKS_LAST_END,
    LACKS_CYCLES,
    LACKS_LIBRARY,
    LACKS_LOOP,
};

#endif
