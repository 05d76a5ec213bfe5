# programs/NAME.c and .cpp become build/programs/NAME, compiled by our own `heddle cc` and `heddle c++`. So the
# programs are also the first test of this wrapper. For tests that compare compilers and optimisation levels, they are
# also built as build/programs-{gcc,clang}-{O0,O2}/NAME, by the target programs-variants.
#
# programs/protocols/NAME.c becomes build/programs/protocols/NAME.
#
# A program is built again when its source, a public header or the wrapper changes. A change of the runtime does not
# matter, because the runtime is a shared library.

file(GLOB program_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/programs/*.c ${PROJECT_SOURCE_DIR}/programs/*.cpp)
file(GLOB protocol_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/programs/protocols/*.c)
file(GLOB program_inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/programs/*.h
     ${PROJECT_SOURCE_DIR}/programs/protocols/*.h ${PROJECT_SOURCE_DIR}/programs/*.hpp
     ${PROJECT_SOURCE_DIR}/include/heddle/* ${PROJECT_SOURCE_DIR}/src/cli/cc/*.[ch]
     ${PROJECT_SOURCE_DIR}/src/cli/base/paths.[ch])

# Builds the programs in ${sources} once. `environment` chooses the compiler, or is empty. The remaining arguments are
# compiler flags.
function(heddle_programs target sources directory environment)
  set(outputs)
  foreach(source IN LISTS ${sources})
    get_filename_component(name ${source} NAME_WE)
    get_filename_component(suffix ${source} LAST_EXT)
    set(output ${directory}/${name})
    if(output IN_LIST outputs)
      message(FATAL_ERROR "programs/${name}.c and programs/${name}.cpp would become the same file: rename one of them")
    endif()
    if(suffix STREQUAL ".c")
      set(command cc -std=gnu11 ${ARGN})
    else()
      set(command c++ -std=c++20 ${ARGN})
    endif()
    list(JOIN command " " words)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -E env ${environment} $<TARGET_FILE:heddle-tool> ${command} -g -Wall
              -o ${output} ${source}
      DEPENDS ${source} ${program_inputs}
      COMMENT "heddle ${words}: ${name}"
      VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  file(MAKE_DIRECTORY ${directory})
  add_custom_target(${target} DEPENDS ${outputs})
  add_dependencies(${target} heddle heddle-tool)
endfunction()

if(NOT TARGET heddle OR NOT TARGET heddle-tool)
  message(NOTICE "there is no tool or no runtime yet: the programs are not built")
  add_custom_target(programs-variants)
  return()
endif()

heddle_programs(programs program_sources ${PROJECT_BINARY_DIR}/programs "" -O0)
# The search visits millions of states of machines, so these programs are optimised.
heddle_programs(protocols protocol_sources ${PROJECT_BINARY_DIR}/programs/protocols "" -O2)
set_target_properties(programs protocols PROPERTIES EXCLUDE_FROM_ALL OFF)

add_custom_target(programs-variants)
foreach(pair "gcc g++" "clang clang++")
  separate_arguments(pair)
  list(GET pair 0 cc)
  list(GET pair 1 cxx)
  find_program(HEDDLE_PROGRAMS_${cc} ${cc})
  find_program(HEDDLE_PROGRAMS_${cxx} ${cxx})
  if(HEDDLE_PROGRAMS_${cc} AND HEDDLE_PROGRAMS_${cxx})
    foreach(level O0 O2)
      heddle_programs(programs-${cc}-${level} program_sources ${PROJECT_BINARY_DIR}/programs-${cc}-${level}
                      "HEDDLE_CC=${cc};HEDDLE_CXX=${cxx}" -${level})
      add_dependencies(programs-variants programs-${cc}-${level})
    endforeach()
  endif()
endforeach()
