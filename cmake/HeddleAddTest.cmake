# heddle_add_test(NAME test (SOURCES file... | TARGET target) [OPTIONS option...] [ARGS argument...] [EXPECT verdict])
#
# Builds an executable `test` as `heddle cc` would, and registers a CTest that explores it:
#
#     heddle run OPTIONS... test ARGS...
#
# With TARGET its sources, flags and libraries are those of an executable of the project, which stays as it is
# (HeddleCopy.cmake says what is copied). EXPECT says what makes the CTest pass: `none` (the default; exit code 0:
# nothing found and the bound completed) or `bug` (exit code 1). It is an ordinary target: target_link_libraries(test ...)
# works, with PRIVATE and the like or without.
#
# A program of several test cases has as many orders as the product of theirs: see heddle_discover_tests().
include(${CMAKE_CURRENT_LIST_DIR}/HeddleCopy.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/HeddleDiscoverTests.cmake)

# Instruments a target of your own, a library for instance.
function(heddle_instrument target)
  # At compile time only: at link time the sanitizer would bring its own runtime. SHELL: keeps the
  # pairs together.
  target_compile_options(${target} PRIVATE -g -fsanitize=thread -fno-lto
    "$<$<OR:$<C_COMPILER_ID:GNU>,$<CXX_COMPILER_ID:GNU>>:SHELL:--param tsan-distinguish-volatile=1>"
    "$<$<OR:$<C_COMPILER_ID:Clang>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -tsan-distinguish-volatile>")
  find_package(Threads REQUIRED)
  # By the properties: a call of target_link_libraries would decide which of its two forms the user may use.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Heddle::heddle Threads::Threads)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES $<LINK_ONLY:Heddle::heddle> $<LINK_ONLY:Threads::Threads>)
  endif()
  target_link_options(${target} PRIVATE LINKER:--build-id)
endfunction()

# The exit code that EXPECT stands for.
function(heddle_expected_code who expect result)
  if(NOT expect OR expect STREQUAL "none")
    set(${result} 0 PARENT_SCOPE)
  elseif(expect STREQUAL "bug")
    set(${result} 1 PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${who}: EXPECT is none or bug, not ${expect}")
  endif()
endfunction()

# The executable that is tested: from sources, or as a copy of a target.
function(heddle_add_program who name target)
  if(target AND ARGN)
    message(FATAL_ERROR "${who}: SOURCES or TARGET, not both")
  elseif(target AND NOT TARGET ${target})
    message(FATAL_ERROR "${who}: there is no target ${target} (yet)")
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
  # The exact code: WILL_FAIL would also take a tool error for the bug.
  add_test(NAME ${test_NAME}
    COMMAND sh -c "${script}" heddle_add_test ${expected}
            $<TARGET_FILE:Heddle::tool> run ${test_OPTIONS} $<TARGET_FILE:${test_NAME}> ${test_ARGS})
endfunction()
