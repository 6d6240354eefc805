# The tool's tests need not compile their programs: compiler.c compiles for all of them in two processes.
add_library(build_layer MODULE layer/layer_info.c layer/build_layer.c)
set_target_properties(build_layer PROPERTIES PREFIX "" C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(build_layer PRIVATE ${prototypes})
target_link_libraries(build_layer PRIVATE clreduce_options OpenCL::OpenCL)
add_executable(compiler layer/compiler.c)
target_link_libraries(compiler PRIVATE clreduce_options OpenCL::OpenCL)
set(compiler_socket ${CMAKE_BINARY_DIR}/compiler.socket)
foreach(what start stop)
  add_test(NAME compiler_${what} COMMAND compiler ${what} ${compiler_socket})
endforeach()
set_tests_properties(compiler_start PROPERTIES FIXTURES_SETUP compiler)
set_tests_properties(compiler_stop PROPERTIES FIXTURES_CLEANUP compiler)

# Programs for PoCL are built without most of its header, and kernels are linked without libraries.
find_file(CLREDUCE_POCL_HEADER pocl/include/opencl-c.h PATHS /usr/share /usr/local/share NO_DEFAULT_PATH)
set(quicker)
if(CLREDUCE_PYTHON AND CLREDUCE_POCL_HEADER)
  set(declarations ${CMAKE_BINARY_DIR}/declarations.h)
  set(quicker CLREDUCE_TEST_DECLARATIONS=${declarations})
  add_custom_target(declarations ALL COMMAND ${CLREDUCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/layer/declarations.py
    ${CLREDUCE_POCL_HEADER} ${declarations} bindings cl docs examples src tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
find_program(CLREDUCE_LD NAMES ld.bfd ld)
if(CLREDUCE_LD)
  configure_file(layer/ld.in ${CMAKE_BINARY_DIR}/linker/ld @ONLY)
  list(APPEND quicker COMPILER_PATH=${CMAKE_BINARY_DIR}/linker)
endif()
set(declared "OPENCL_LAYERS=$<TARGET_FILE:build_layer>;${quicker}")
# The same for tests with one more layer, which gets the calls of the program first.
foreach(layer fault weak)
  set(declared_below_${layer} "OPENCL_LAYERS=$<TARGET_FILE:build_layer>:$<TARGET_FILE:${layer}_layer>;${quicker}")
endforeach()
set(compiled_elsewhere "${declared};CLREDUCE_TEST_COMPILER=${compiler_socket}")
# The same for tests that run the tool. in_fork.py loads it once as a library. Sanitizers and coverage need the program,
# because they report when it exits.
if(TARGET clreduce_tool)
  set(tool_runs "${compiled_elsewhere};CLREDUCE_TOOL=$<TARGET_FILE:clreduce_tool>")
  if(NOT CLREDUCE_SANITIZE AND NOT CLREDUCE_COVERAGE)
    add_library(tool_library MODULE layer/tool_library.c $<TARGET_OBJECTS:clreduce_tool_objects>)
    target_link_libraries(tool_library PRIVATE $<TARGET_PROPERTY:clreduce_tool,LINK_LIBRARIES>)
    list(APPEND tool_runs CLREDUCE_TOOL_LIBRARY=$<TARGET_FILE:tool_library>)
  endif()
endif()

# A layer that makes the device weaker or wrong: the rows of weak_layer.c.
add_library(weak_layer MODULE layer/layer_info.c layer/weak_layer.c)
set_target_properties(weak_layer PROPERTIES PREFIX "" C_VISIBILITY_PRESET default
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(weak_layer PRIVATE ${prototypes})
target_link_libraries(weak_layer PRIVATE clreduce_options OpenCL::OpenCL)

add_executable(test_turns layer/test_turns.c)
target_compile_definitions(test_turns PRIVATE WEAK_LAYER="$<TARGET_FILE:weak_layer>")
target_include_directories(test_turns PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(test_turns PRIVATE test_oracle clreduce_options Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(test_turns weak_layer)
add_test(NAME turns_of_loops COMMAND test_turns)
# PoCL 6.0 compiles counted loops with barriers without end, except in this way.
set_tests_properties(turns_of_loops PROPERTIES COST 60 ENVIRONMENT
  "${declared_below_weak};WEAK_DEVICE=counts_loops;POCL_WORK_GROUP_METHOD=cbs;${unoptimized}")

# The tool on each of the devices; test_weak.py --full has more.
if(TARGET clreduce_tool)
  foreach(name weak lies trials)
    add_test(NAME ${name}_devices COMMAND ${CLREDUCE_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/layer/test_weak.py ${name})
    set_tests_properties(${name}_devices PROPERTIES COST 60 FIXTURES_REQUIRED compiler ENVIRONMENT
      "${tool_runs};CLREDUCE_WEAK_LAYER=$<TARGET_FILE:weak_layer>")
    set_property(TEST ${name}_devices APPEND PROPERTY ENVIRONMENT ${unoptimized_tool})
  endforeach()
endif()
