# The prototypes of OpenCL's functions as macros (portable/opencl_header.py), for files that put functions of their own
# between a program and OpenCL: prototypes.h in the directory ${prototypes}.
include_guard(GLOBAL)

# The system's Python comes first: another one in the PATH may lack NumPy, which the tests of the tool need.
find_program(CLREDUCE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CLREDUCE_PYTHON NAMES python3)
find_file(CLREDUCE_CL_HEADER CL/cl.h HINTS ${OpenCL_INCLUDE_DIRS})
set(prototypes ${CMAKE_BINARY_DIR}/prototypes CACHE INTERNAL "")
file(MAKE_DIRECTORY ${prototypes})
execute_process(COMMAND ${CLREDUCE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/portable/opencl_header.py macros
  ${CLREDUCE_CL_HEADER} OUTPUT_FILE ${prototypes}/prototypes.h RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the tests need python3, which reads the prototypes of ${CLREDUCE_CL_HEADER}")
endif()
