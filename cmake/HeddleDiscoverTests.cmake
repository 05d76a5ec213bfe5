# heddle_discover_tests(NAME program (SOURCES file... | TARGET target) FRAMEWORK gtest|catch2|cmocka
#                       [OPTIONS option...] [ARGS argument...] [EXPECT verdict])
#
# As heddle_add_test(), but with one CTest for each test case of the program, called `program.CASE`. In one run, the
# numbers of orders of several cases are multiplied (1, 2 and 4 cases of 6 executions each: 6, 36 and 1,296). In
# several runs they are only added.
#
# After the build, the program is run once, without the tool, to list its cases: by --gtest_list_tests (gtest),
# --list-test-names-only or --list-tests (Catch2 2 and 3). Disabled and hidden cases are left out. cmocka has no such
# list, so a source file beside this one is linked in, which handles --heddle-list-cases and --heddle-case=NAME.
# `main` must accept these arguments, and call cmocka_run_group_tests(). EXPECT holds for every case. The trace of a
# finding is `program.CASE.trace` in the working directory.

# Global properties, because functions are global, while the variables of this file are not.
set_property(GLOBAL PROPERTY heddle_cmake_directory ${CMAKE_CURRENT_LIST_DIR})
set_property(GLOBAL PROPERTY heddle_expect_script "expected=$1; shift; \"$@\"; status=$?; test $status -eq $expected || { echo \"exit code $status, expected $expected\"; exit 1; }")

function(heddle_discover_tests)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TARGET;FRAMEWORK;EXPECT" "SOURCES;OPTIONS;ARGS")
  if(NOT test_NAME OR NOT (test_SOURCES OR test_TARGET) OR test_UNPARSED_ARGUMENTS
     OR NOT test_FRAMEWORK MATCHES "^(gtest|catch2|cmocka)$")
    message(FATAL_ERROR "heddle_discover_tests(NAME program (SOURCES file... | TARGET target) FRAMEWORK gtest|catch2|cmocka "
                        "[OPTIONS ...] [ARGS ...] [EXPECT none|bug])")
  endif()
  heddle_expected_code(heddle_discover_tests "${test_EXPECT}" expected)
  get_property(directory GLOBAL PROPERTY heddle_cmake_directory)
  heddle_add_program(heddle_discover_tests ${test_NAME} "${test_TARGET}" ${test_SOURCES})
  if(test_FRAMEWORK STREQUAL "cmocka")
    target_sources(${test_NAME} PRIVATE ${directory}/heddle_cmocka_cases.c)
    target_link_options(${test_NAME} PRIVATE LINKER:--wrap=_cmocka_run_group_tests)
  endif()
  get_property(script GLOBAL PROPERTY heddle_expect_script)
  set(found ${CMAKE_CURRENT_BINARY_DIR}/${test_NAME}_heddle_cases.cmake)
  add_custom_command(TARGET ${test_NAME} POST_BUILD BYPRODUCTS ${found} VERBATIM
    COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:${test_NAME}>" "-DNAME=${test_NAME}" "-DFRAMEWORK=${test_FRAMEWORK}"
            "-DTOOL=$<TARGET_FILE:Heddle::tool>" "-DOPTIONS=${test_OPTIONS}" "-DARGUMENTS=${test_ARGS}"
            "-DEXPECTED=${expected}" "-DSCRIPT=${script}" "-DOUTPUT=${found}"
            -P ${directory}/HeddleListCases.cmake)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${test_NAME}_heddle_include.cmake)
  file(WRITE ${include} "if(EXISTS [==[${found}]==])\n  include([==[${found}]==])\nelse()\n"
                        "  add_test([==[${test_NAME}_NOT_BUILT]==] [==[${test_NAME}_NOT_BUILT]==])\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
