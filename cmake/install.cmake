# Headers, libraries, tool, pkg-config files and CMake package. The component mpi is libclreduce-mpi.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clreduce)

install(TARGETS clreduce clreduce_static EXPORT clreduceTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/clreduce.h include/clreduce_abi.h include/clreduce_device.h include/clreduce_operator.h
              include/clreduce_partial.h include/clreduce_quantile.h include/clreduce_rows.h
              include/clreduce_scan_stream.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT clreduceTargets NAMESPACE clreduce:: DESTINATION ${package_dir})
if(CLREDUCE_MPI)
  install(TARGETS clreduce_mpi clreduce_mpi_static EXPORT clreduceMpiTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES include/clreduce_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT clreduceMpiTargets NAMESPACE clreduce:: DESTINATION ${package_dir})
endif()
configure_package_config_file(cmake/clreduceConfig.cmake.in ${CMAKE_BINARY_DIR}/clreduceConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/clreduceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/clreduceConfig.cmake ${CMAKE_BINARY_DIR}/clreduceConfigVersion.cmake
        DESTINATION ${package_dir})
# The header for C++, and the source of the Fortran module: compilers do not share compiled modules.
install(FILES include/clreduce.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES bindings/fortran/clreduce.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/clreduce COMPONENT dev)
# A relative path, so that it is also right for cmake --install --prefix.
file(RELATIVE_PATH CLREDUCE_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/clreduce.pc.in ${CMAKE_BINARY_DIR}/clreduce.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/clreduce.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(CLREDUCE_MPI)
  configure_file(cmake/clreduce-mpi.pc.in ${CMAKE_BINARY_DIR}/clreduce-mpi.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/clreduce-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET clreduce_tool)
  install(TARGETS clreduce_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET clreduce_mpi_tool)
  install(TARGETS clreduce_mpi_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
