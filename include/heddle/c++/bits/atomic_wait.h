/* atomic_wait.h - `heddle c++` finds this file before the file of the same name in libstdc++.
 *
 * Before a thread waits for an atomic variable in the kernel, libstdc++ tries 16 times whether it
 * still has to, since that is often faster. The function here has the same name and parameters, but
 * is preferred, because it has a constraint. It ends with the first try that has only looked.
 *
 * Both functions make the same executions possible, but for failed tries that have no effect. If a
 * try succeeds, those before it do not matter. If all fail, one of them that has only looked could
 * stand for all: the others, right after it, would see the same. A try that has lost a
 * compare-exchange could not, because it would succeed at once. */
#ifndef HEDDLE_BITS_ATOMIC_WAIT_H
#define HEDDLE_BITS_ATOMIC_WAIT_H

#pragma GCC system_header

#if __cpp_concepts >= 201907L
#include <bits/c++config.h>

/* Whether the last operation of this thread was a load. Missing in a program that was not linked by
 * `heddle c++`. */
extern "C" __attribute__((weak)) bool heddle_has_looked(void) noexcept;

namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {
struct __default_spin_policy;
template <typename _Pred, typename _Spin = __default_spin_policy>
requires true bool __atomic_spin(_Pred &__pred, _Spin = _Spin{}) noexcept {
    for (int __i = 0; __i < 16; ++__i) {
        if (__pred())
            return true;
        if (heddle_has_looked && heddle_has_looked())
            break;
    }
    return false;
}
} // namespace __detail
_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif

#include_next <bits/atomic_wait.h>

#endif
