# The files that `make install` copies, and how other projects find them: pkg-config files and a CMake package. All
# paths are relative, so a prefix can be chosen at install time.

include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)
set(pkgconfig_directory ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(products)
foreach(target heddle heddle-stub heddle-machines heddle-tool)
  if(TARGET ${target})
    list(APPEND products ${target})
  endif()
endforeach()
if(products)
  install(TARGETS ${products} EXPORT HeddleTargets)
  install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION ${package_directory})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/heddle_gdb DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle
        FILES_MATCHING PATTERN "*.py")
file(GLOB man_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_directory} /)
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
foreach(name heddle heddle-stub heddle-machines)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_directory})
endforeach()

configure_package_config_file(cmake/HeddleConfig.cmake.in ${PROJECT_BINARY_DIR}/HeddleConfig.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/HeddleConfig.cmake ${PROJECT_BINARY_DIR}/HeddleConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/HeddleAddTest.cmake
              ${PROJECT_SOURCE_DIR}/cmake/HeddleCopy.cmake
              ${PROJECT_SOURCE_DIR}/cmake/HeddleDiscoverTests.cmake
              ${PROJECT_SOURCE_DIR}/cmake/HeddleListCases.cmake
              ${PROJECT_SOURCE_DIR}/cmake/heddle_cmocka_cases.c
        DESTINATION ${package_directory})
