# heddle_copy_target(target copy): builds the sources of `target` once more, instrumented, as `copy`.
#
# The target itself stays as it is, for runs without the tool. The copy has its sources, definitions, options,
# directories, standards and libraries. Static and object libraries of the project are copied too (once, as
# `LIBRARY_heddle`), with the libraries that they use, because the code under test is usually there. Shared, imported
# and interface libraries are linked as they are. Heddle does not see code that is not instrumented.
#
# The properties are copied as they are at the time of the call, so make this call after all others about the target.
# Sources that a custom command generates can be copied only in the directory of that command.

# A global property, because functions are global, while the variables of this file are not.
set_property(GLOBAL PROPERTY heddle_copied_properties
  INCLUDE_DIRECTORIES SYSTEM_INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES COMPILE_FLAGS
  LINK_OPTIONS LINK_DIRECTORIES LINK_FLAGS POSITION_INDEPENDENT_CODE
  C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS
  INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS
  INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES INTERFACE_LINK_OPTIONS INTERFACE_LINK_DIRECTORIES)

# Sets `result` to the sources of a target, as whole paths. Generator expressions stay as they are.
function(heddle_sources_of target result)
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  get_target_property(built ${target} BINARY_DIR)
  set(found)
  foreach(source IN LISTS sources)
    if(NOT IS_ABSOLUTE "${source}" AND NOT source MATCHES "^\\$<")
      if(EXISTS "${directory}/${source}")
        set(source "${directory}/${source}")
      else()
        set(source "${built}/${source}")
      endif()
    endif()
    list(APPEND found "${source}")
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Sets `result` to the copy of a library if it gets one, else to the library itself.
function(heddle_library_copy library result)
  set(${result} "${library}" PARENT_SCOPE)
  if(library MATCHES "^\\$<LINK_ONLY:([^<>]*)>$")
    heddle_library_copy("${CMAKE_MATCH_1}" copy)
    set(${result} "$<LINK_ONLY:${copy}>" PARENT_SCOPE)
    return()
  endif()
  if(NOT TARGET "${library}")
    return()
  endif()
  get_target_property(real ${library} ALIASED_TARGET)
  if(real)
    set(library ${real})
  endif()
  get_target_property(type ${library} TYPE)
  get_target_property(imported ${library} IMPORTED)
  if(imported OR NOT type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    return()
  endif()
  if(NOT TARGET ${library}_heddle)
    string(REPLACE "_LIBRARY" "" kind ${type})
    heddle_sources_of(${library} sources)
    add_library(${library}_heddle ${kind} EXCLUDE_FROM_ALL ${sources})
    heddle_copy_properties(${library} ${library}_heddle)
  endif()
  set(${result} ${library}_heddle PARENT_SCOPE)
endfunction()

function(heddle_copy_properties target copy)
  get_property(properties GLOBAL PROPERTY heddle_copied_properties)
  foreach(property IN LISTS properties)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "-NOTFOUND$")
      set_property(TARGET ${copy} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(libraries ${target} ${property})
    set(copies)
    if(libraries)
      foreach(library IN LISTS libraries)
        heddle_library_copy("${library}" library)
        list(APPEND copies "${library}")
      endforeach()
    endif()
    set_property(TARGET ${copy} PROPERTY ${property} "${copies}")
  endforeach()
  heddle_instrument(${copy})
endfunction()

function(heddle_copy_target target copy)
  get_target_property(real ${target} ALIASED_TARGET)
  if(real)
    set(target ${real})
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "heddle: TARGET ${target} is not an executable")
  endif()
  heddle_sources_of(${target} sources)
  add_executable(${copy} ${sources})
  heddle_copy_properties(${target} ${copy})
endfunction()
