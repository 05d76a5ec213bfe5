/* c++config.h - comes before the file of the same name of libstdc++, when `heddle c++` compiles.
 *
 * The library has std::string and std::wstring compiled already, and its headers leave most of their members to it.
 * That code is not instrumented: a race on a string would not be seen. With -1 the strings are compiled where they are
 * used, as they always are from C++20 on. Streams stay in the library: std::cout may be used by several threads, but
 * its code, if instrumented, would look like a race. */
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
