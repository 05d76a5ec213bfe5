# heddle_add_test(NAME test SOURCES file... [OPTIONS option...] [ARGS argument...] [EXPECT verdict])
#
# Builds an executable `test` as `heddle cc` would, and registers a CTest that explores it:
#
#     heddle run OPTIONS... test ARGS...
#
# EXPECT says what makes the CTest pass: `none` (the default; exit code 0: nothing found and the bound
# completed) or `bug` (exit code 1). It is an ordinary target: target_link_libraries(test ...) works.

# Instruments a target of your own, a library for instance.
function(heddle_instrument target)
  # At compile time only: at link time the sanitizer would bring its own runtime. SHELL: keeps the
  # pairs together.
  target_compile_options(${target} PRIVATE -g -fsanitize=thread -fno-lto
    "$<$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param tsan-distinguish-volatile=1>"
    "$<$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -tsan-distinguish-volatile>")
  find_package(Threads REQUIRED)
  target_link_libraries(${target} PRIVATE Heddle::heddle Threads::Threads)
  target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;EXPECT" "SOURCES;OPTIONS;ARGS")
  if(NOT test_NAME OR NOT test_SOURCES OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test(NAME test SOURCES file... [OPTIONS ...] [ARGS ...] [EXPECT none|bug])")
  endif()
  if(NOT test_EXPECT OR test_EXPECT STREQUAL "none")
    set(expected 0)
  elseif(test_EXPECT STREQUAL "bug")
    set(expected 1)
  else()
    message(FATAL_ERROR "heddle_add_test: EXPECT is none or bug, not ${test_EXPECT}")
  endif()
  add_executable(${test_NAME} ${test_SOURCES})
  heddle_instrument(${test_NAME})
  # The exact code: WILL_FAIL would also take a tool error for the bug.
  add_test(NAME ${test_NAME}
    COMMAND sh -c "\"$@\"; status=$?; test $status -eq ${expected} || { echo \"exit code $status, expected ${expected}\"; exit 1; }"
            heddle_add_test $<TARGET_FILE:Heddle::tool> run ${test_OPTIONS} $<TARGET_FILE:${test_NAME}> ${test_ARGS})
endfunction()
