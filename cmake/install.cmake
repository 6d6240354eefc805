# What `cmake --install` installs. Components: runtime (the shared library), dev (headers, static library, CMake and
# pkg-config files), tool, doc; mpi and mpi_dev for libclreduce-mpi.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clreduce)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# install_libraries(EXPORT RUNTIME_COMPONENT DEV_COMPONENT TARGET...)
function(install_libraries export runtime dev)
  install(TARGETS ${ARGN} EXPORT ${export}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${dev}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${runtime} NAMELINK_COMPONENT ${dev}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${runtime}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE clreduce:: DESTINATION ${package_dir} COMPONENT ${dev})
endfunction()

# A .pc file finds its prefix from its own place, so that an installed tree may be moved. A path that was given as an
# absolute one stays as it is.
function(make_pc_path name path)
  if(IS_ABSOLUTE ${path})
    set(${name} ${path} PARENT_SCOPE)
  else()
    set(${name} \${prefix}/${path} PARENT_SCOPE)
  endif()
endfunction()

make_pc_path(CLREDUCE_PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
make_pc_path(CLREDUCE_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(CLREDUCE_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH CLREDUCE_PC_PREFIX /${pkgconfig_dir} /)
  string(REGEX REPLACE "/$" "" CLREDUCE_PC_PREFIX "\${pcfiledir}/${CLREDUCE_PC_PREFIX}")
endif()

# What a program that links the static library needs beside OpenCL.
set(CLREDUCE_PC_PRIVATE "-pthread")
if(UNIX)
  set(CLREDUCE_PC_PRIVATE "-pthread -lm")
endif()
# On Windows the headers declare the functions of a DLL, unless a program links the static library.
if(WIN32)
  set(CLREDUCE_PC_STATIC " -DCLRED_STATIC")
endif()
if(CLREDUCE_SHARED)
  set(CLREDUCE_PC_LIBS_PRIVATE "Libs.private: ${CLREDUCE_PC_PRIVATE}")
else()
  set(CLREDUCE_PC_ALSO " ${CLREDUCE_PC_PRIVATE}")
  set(CLREDUCE_PC_DEFINES "${CLREDUCE_PC_STATIC}")
endif()

function(install_pc component)
  foreach(name ${ARGN})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir} COMPONENT ${component})
  endforeach()
endfunction()

set(libraries clreduce_static)
set(mpi_libraries clreduce_mpi_static)
if(CLREDUCE_SHARED)
  list(APPEND libraries clreduce)
  list(APPEND mpi_libraries clreduce_mpi)
endif()
install_libraries(clreduceTargets runtime dev ${libraries})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN *.h PATTERN *.hpp PATTERN clreduce_mpi.h EXCLUDE)
# The Fortran module is source: a compiled module serves one version of one compiler.
install(FILES bindings/fortran/clreduce.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/clreduce COMPONENT dev OPTIONAL)
install_pc(dev clreduce clreduce-static)
if(CLREDUCE_MPI)
  install_libraries(clreduceMpiTargets mpi mpi_dev ${mpi_libraries})
  install(FILES include/clreduce_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT mpi_dev)
  install_pc(mpi_dev clreduce-mpi)
endif()
configure_package_config_file(cmake/clreduceConfig.cmake.in ${PROJECT_BINARY_DIR}/clreduceConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clreduceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clreduceConfig.cmake ${PROJECT_BINARY_DIR}/clreduceConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT dev)

if(TARGET clreduce_tool)
  install(TARGETS clreduce_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
endif()
# README.md links to docs/ and examples/, so they keep their places beside it.
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN *.md PATTERN *.svg)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
if(TARGET clreduce_mpi_tool)
  install(TARGETS clreduce_mpi_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi_tool)
endif()
