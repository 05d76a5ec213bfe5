# heddle_add_test(NAME test (SOURCES file... | TARGET target) [OPTIONS option...] [ARGS argument...] [EXPECT verdict])
#
# Builds an executable `test` as `heddle cc` would, and registers a CTest that explores it:
#
#     heddle run OPTIONS... test ARGS...
#
# With TARGET, the sources, flags and libraries are copied from an executable of the project, which stays as it is
# (HeddleCopy.cmake says what is copied). EXPECT says what makes the CTest pass: `none` (the default; exit code 0:
# nothing was found and the bound was completed) or `bug` (exit code 1). `test` is an ordinary target:
# target_link_libraries(test ...) works, with or without keywords such as PRIVATE.
#
# If a program has several test cases, the numbers of their orders are multiplied: see heddle_discover_tests().
include(${CMAKE_CURRENT_LIST_DIR}/HeddleCopy.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/HeddleDiscoverTests.cmake)

# Instruments a target of your own, for example a library.
function(heddle_instrument target)
  # Only at compile time: at link time the option would add the sanitizer's own runtime. SHELL: keeps each pair of
  # words together.
  target_compile_options(${target} PRIVATE -g -fsanitize=thread -fno-lto
    "$<$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param tsan-distinguish-volatile=1>"
    "$<$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -tsan-distinguish-volatile>")
  find_package(Threads REQUIRED)
  # This sets the properties directly, because a call of target_link_libraries would decide which of its two forms
  # (with or without keywords) the user may use.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Heddle::heddle Threads::Threads)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES $<LINK_ONLY:Heddle::heddle> $<LINK_ONLY:Threads::Threads>)
  endif()
  target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

# Sets `result` to the exit code that EXPECT stands for.
function(heddle_expected_code who expect result)
  if(NOT expect OR expect STREQUAL "none")
    set(${result} 0 PARENT_SCOPE)
  elseif(expect STREQUAL "bug")
    set(${result} 1 PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${who}: EXPECT must be none or bug, not ${expect}")
  endif()
endfunction()

# Adds the executable that is tested, from sources or as a copy of a target.
function(heddle_add_program who name target)
  if(target AND ARGN)
    message(FATAL_ERROR "${who}: give SOURCES or TARGET, not both")
  elseif(target AND NOT TARGET ${target})
    message(FATAL_ERROR "${who}: there is no target ${target}. Define it before this call")
  elseif(target)
    heddle_copy_target(${target} ${name})
  else()
    add_executable(${name} ${ARGN})
    heddle_instrument(${name})
  endif()
endfunction()

function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TARGET;EXPECT" "SOURCES;OPTIONS;ARGS")
  if(NOT test_NAME OR NOT (test_SOURCES OR test_TARGET) OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test(NAME test (SOURCES file... | TARGET target) [OPTIONS ...] [ARGS ...] [EXPECT none|bug])")
  endif()
  heddle_expected_code(heddle_add_test "${test_EXPECT}" expected)
  heddle_add_program(heddle_add_test ${test_NAME} "${test_TARGET}" ${test_SOURCES})
  get_property(script GLOBAL PROPERTY heddle_expect_script)
  # The script compares the exact exit code. With WILL_FAIL, an error of the tool would count as the bug.
  add_test(NAME ${test_NAME}
    COMMAND sh -c "${script}" heddle_add_test ${expected}
            $<TARGET_FILE:Heddle::tool> run ${test_OPTIONS} $<TARGET_FILE:${test_NAME}> ${test_ARGS})
endfunction()
