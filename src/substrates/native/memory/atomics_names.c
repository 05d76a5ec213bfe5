/* atomics_names.c - the names of libatomic. Each is a jump to the function behind it, so that
 * the return address there is the program's. Compiled without link-time optimisation, which
 * would take these names for those that our own atomics mean. */

#define NAMED(name, function) \
    __asm__(".text\n" \
            ".globl " name "\n" \
            ".type " name ", @function\n" name ":\n" \
            ".cfi_startproc\n" \
            "jmp " function "\n" \
            ".cfi_endproc\n" \
            ".size " name ", . - " name "\n");

#define NAMED_RMW(bytes, bits, how) \
    NAMED("__atomic_fetch_" how "_" bytes, "__tsan_atomic" bits "_fetch_" how "@PLT") \
    NAMED("__atomic_" how "_fetch_" bytes, "library_" how "_fetch" bits)

#define NAMED_SIZE(bytes, bits) \
    NAMED("__atomic_load_" bytes, "__tsan_atomic" bits "_load@PLT") \
    NAMED("__atomic_store_" bytes, "__tsan_atomic" bits "_store@PLT") \
    NAMED("__atomic_exchange_" bytes, "__tsan_atomic" bits "_exchange@PLT") \
    NAMED("__atomic_compare_exchange_" bytes, "__tsan_atomic" bits "_compare_exchange_strong@PLT") \
    /* The byte for "set" is the first one, whatever the size. */ \
    NAMED("__atomic_test_and_set_" bytes, "library_flag_set_explicit") \
    NAMED_RMW(bytes, bits, "add") \
    NAMED_RMW(bytes, bits, "sub") \
    NAMED_RMW(bytes, bits, "and") \
    NAMED_RMW(bytes, bits, "or") \
    NAMED_RMW(bytes, bits, "xor") \
    NAMED_RMW(bytes, bits, "nand")

NAMED_SIZE("1", "8")
NAMED_SIZE("2", "16")
NAMED_SIZE("4", "32")
NAMED_SIZE("8", "64")
NAMED_SIZE("16", "128")

NAMED("__atomic_load", "library_sized_load")
NAMED("__atomic_store", "library_sized_store")
NAMED("__atomic_exchange", "library_sized_exchange")
NAMED("__atomic_compare_exchange", "library_sized_compare_exchange")
NAMED("__atomic_is_lock_free", "library_sized_is_lock_free")

NAMED("atomic_flag_test_and_set", "library_flag_set")
NAMED("atomic_flag_test_and_set_explicit", "library_flag_set_explicit")
NAMED("atomic_flag_clear", "library_flag_clear")
NAMED("atomic_flag_clear_explicit", "library_flag_clear_explicit")
NAMED("atomic_thread_fence", "library_thread_fence")
NAMED("atomic_signal_fence", "library_signal_fence")
