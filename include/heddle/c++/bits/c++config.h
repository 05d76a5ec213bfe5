/* c++config.h - `heddle c++` finds this file before the file of the same name in libstdc++.
 *
 * libstdc++ contains compiled copies of std::string and std::wstring, and its headers leave most of
 * their members to these copies. That code is not instrumented, so Heddle would miss a race on a
 * string. With the value -1 the strings are compiled where they are used, as they always are from
 * C++20 on. Streams are still taken from the library: several threads may use std::cout at once,
 * but its code, if instrumented, would look like a race. */
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
