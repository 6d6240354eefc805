# CPack's source package. CPack itself would take files in the order in which the file system lists them.
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../tools/dist.sh ${CPACK_PACKAGE_DIRECTORY}
                OUTPUT_VARIABLE CPACK_EXTERNAL_BUILT_PACKAGES OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "tools/dist.sh failed: it needs bash, GNU tar and gzip")
endif()
