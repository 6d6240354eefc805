# The target `site` makes site/html in the build directory (README, all pages, the reference) and site/man
# (man pages of the reference). It needs Doxygen and Python, and is not in `all`. Installing includes what was made.
find_program(CLREDUCE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CLREDUCE_PYTHON NAMES python3)
if(CLREDUCE_PYTHON AND CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
  set(site ${PROJECT_BINARY_DIR}/site)
  add_custom_target(site
    COMMAND ${CLREDUCE_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/site/site.py ${PROJECT_SOURCE_DIR} ${site}
            ${PROJECT_VERSION}
    COMMENT "Making ${site}/html/index.html" VERBATIM)
  install(DIRECTORY ${site}/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc OPTIONAL)
  install(DIRECTORY ${site}/man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT doc OPTIONAL)
endif()
