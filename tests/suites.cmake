# Unit suites open no device; device suites each open their own, never before a fork.
foreach(name shape tiles cuts reading bounds model problems source layout cache_files cache_key tuning findings kept texts)
  add_executable(test_${name} unit/test_${name}.c)
  target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(test_${name} PRIVATE clreduce_static PkgConfig::CHECK)
  add_test(NAME unit_${name} COMMAND test_${name})
  set_tests_properties(unit_${name} PROPERTIES TIMEOUT 60)
endforeach()

target_compile_definitions(test_findings PRIVATE CLREDUCE_TEST_BITS="${CMAKE_CURRENT_SOURCE_DIR}/data/bits1.txt")

foreach(function close read rename write)
  target_link_options(test_cache_files PRIVATE LINKER:--wrap=${function})
endforeach()

foreach(name hand_written hand_algebra shapes events overlap errors refusals kernels host limits calls laws operators
        operator_texts rows scans scan_calls scan_refusals scan_rows look_back select runs segments segment_refusals keys key_refusals
        histogram histogram_refusals call_refusals strategy_refusals padding warm asked_for_less rarely_asked evidence hand_over places loads cache tuned stream nothing_given hint)
  add_executable(test_${name} device/test_${name}.c device/fixture.c)
  target_link_libraries(test_${name} PRIVATE test_oracle clreduce_options PkgConfig::CHECK Threads::Threads)
  target_compile_definitions(test_${name} PRIVATE CLREDUCE_TEST_CL_DIR="${PROJECT_SOURCE_DIR}/cl")
  add_test(NAME device_${name} COMMAND test_${name})
  set_tests_properties(device_${name} PROPERTIES TIMEOUT 600)
endforeach()

# Suites that bring operators of their own; each way to fold is a program to build.
foreach(name operators operator_texts rows scans segments keys stream)
  target_sources(test_${name} PRIVATE device/operators.c)
  set_tests_properties(device_${name} PROPERTIES TIMEOUT 1200 COST 500)
endforeach()

# Rows of different lengths, however they are told.
foreach(name segments keys)
  target_sources(test_${name} PRIVATE device/segmented.c)
endforeach()
target_sources(test_histogram PRIVATE device/bins.c)

# Suites about how operators, rows and shapes are served, and not about arithmetic, do without the optimizer: PoCL takes a
# fifth of the time then. The grid, the algebra, the order and the tool have it.
foreach(name operators operator_texts rows shapes laws host scans scan_calls scan_refusals scan_rows select runs segments segment_refusals keys
        key_refusals call_refusals strategy_refusals padding histogram asked_for_less rarely_asked evidence hand_over cache tuned stream)
  set_tests_properties(device_${name} PROPERTIES ENVIRONMENT CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable)
endforeach()

# What groups did to each other is read in a plan's slots.
target_include_directories(test_look_back PRIVATE ${PROJECT_SOURCE_DIR}/src)
# What offsets that are wrong make of it is read there, too.
target_include_directories(test_segment_refusals PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Runs are internal, and so is the plan that finds them.
target_include_directories(test_runs PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(test_keys PRIVATE ${PROJECT_SOURCE_DIR}/src)
# How many cells groups have is the plan's own, and whether elements have places.
target_include_directories(test_hand_over PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(test_places PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Doubles have places where the best is found by an instruction, here one done in its place.
set_tests_properties(device_places PROPERTIES ENVIRONMENT "CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable -DEMULATES_PTX=1")
# Loads go by words where they tell the cache something, or here nothing.
set_tests_properties(device_loads PROPERTIES ENVIRONMENT "CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable -DEMULATES_PTX=1")
# Plans are given tunings there that nobody measured.
target_include_directories(test_tuned PRIVATE ${PROJECT_SOURCE_DIR}/src)
foreach(name look_back hand_over)
  add_test(NAME device_${name}_one_thread COMMAND test_${name})
  set_tests_properties(device_${name}_one_thread PROPERTIES TIMEOUT 600 ENVIRONMENT
    "POCL_MAX_PTHREAD_COUNT=1;CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable")
endforeach()

# The linker puts the suite's counters between the library and OpenCL.
foreach(function clBuildProgram clCreateBuffer clCreateKernel clCreateProgramWithSource clCreateSubBuffer
        clReleaseKernel clReleaseMemObject clReleaseProgram clRetainKernel clRetainMemObject clRetainProgram)
  target_link_options(test_calls PRIVATE LINKER:--wrap=${function})
endforeach()

foreach(function clBuildProgram clCreateKernelsInProgram clCreateProgramWithBinary clCreateProgramWithSource clGetProgramInfo)
  target_link_options(test_cache PRIVATE LINKER:--wrap=${function})
endforeach()

foreach(function clEnqueueNDRangeKernel clEnqueueReadBuffer clGetKernelWorkGroupInfo)
  target_link_options(test_hint PRIVATE LINKER:--wrap=${function})
endforeach()

# A second device, so that there are contexts of several.
set_property(TEST device_cache APPEND PROPERTY ENVIRONMENT "POCL_DEVICES=pthread basic")

# The floors of src/, and how many files an entry point passes through.
find_program(CLREDUCE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CLREDUCE_PYTHON NAMES python3)
set(objects $<TARGET_OBJECTS:clreduce_objects>)
if(CLREDUCE_PYTHON)
  add_test(NAME layers COMMAND ${CLREDUCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/layers.py --source ${PROJECT_SOURCE_DIR}/src
           --nm ${CMAKE_NM} ${objects} COMMAND_EXPAND_LISTS)
  add_test(NAME layers_refuse COMMAND ${CLREDUCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_layers.py ${PROJECT_SOURCE_DIR}/src
           ${CMAKE_NM} ${objects} COMMAND_EXPAND_LISTS)
  # Instrumented code calls more than was written.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT CLREDUCE_SANITIZE AND NOT CLREDUCE_COVERAGE)
    foreach(limit enqueue_reduce=12 plan_create=35)
      string(REPLACE "=" ";" limit ${limit})
      list(GET limit 0 entry)
      list(GET limit 1 most)
      add_test(NAME reach_${entry} COMMAND ${CLREDUCE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/reach.py --objdump ${CMAKE_OBJDUMP}
               --max ${most} clred_${entry} ${objects} COMMAND_EXPAND_LISTS)
    endforeach()
  endif()
endif()
add_test(NAME operators_in_docs COMMAND ${CMAKE_COMMAND} -DOPERATORS=${CMAKE_CURRENT_SOURCE_DIR}/data/operators
         -DPAGE=${PROJECT_SOURCE_DIR}/docs/operators.md -DPROGRAM=${PROJECT_SOURCE_DIR}/examples/tutorial.c
         -DPROGRAM_PAGE=${PROJECT_SOURCE_DIR}/docs/tutorial.md -P ${CMAKE_CURRENT_SOURCE_DIR}/operators_in_docs.cmake)
# On assumed devices one_set_of_bits asks the same; `order --assumed` is for GPUs and by hand.
add_test(NAME one_order COMMAND order --compare ${CMAKE_CURRENT_SOURCE_DIR}/data/fixed1.txt)
set_tests_properties(one_order PROPERTIES TIMEOUT 600)

add_test(NAME one_set_of_bits COMMAND bits --compare ${CMAKE_CURRENT_SOURCE_DIR}/data/bits1.txt)
set_tests_properties(one_set_of_bits PROPERTIES TIMEOUT 600 ENVIRONMENT CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable)

add_test(NAME more_than_32_bits COMMAND large)
add_test(NAME chains_in_order COMMAND chains)
set_tests_properties(more_than_32_bits chains_in_order PROPERTIES TIMEOUT 600)

# The grid and the algebra by pairs, in slices that two cores run side by side: a quarter of each, in which every strategy, finish,
# operator and type is met many times (full.sh has all of the grid). One slice of each has the optimizer.
set(slices_of_grid 8)
set(slices_of_algebra 8)
foreach(program grid algebra)
  foreach(slice 1 2)
    add_test(NAME ${program}_pairwise_${slice} COMMAND ${program} --pairwise --slice ${slice}/${slices_of_${program}})
  endforeach()
endforeach()
foreach(name grid_pairwise_1 grid_pairwise_2 algebra_pairwise_1 algebra_pairwise_2)
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 COST 1000)
  if(NOT name MATCHES "_1$")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable)
  endif()
endforeach()

# What NVIDIA's instructions do for extremes and bytes, done in their place (cl/ptx.clh), and partials handed over in cells.
foreach(op max arg)
  add_test(NAME algebra_as_by_ptx_${op} COMMAND algebra --full --sizes small --filter "wide ${op}")
  set_tests_properties(algebra_as_by_ptx_${op} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable -DEMULATES_PTX=1;CLREDUCE_TEST_ASSUME=cpu=0,groups_go_on=1")
endforeach()

# Scans by pairs, half of them; and what the device is not, with the strategies to which it makes a difference: a GPU, with words of
# 32 bits, with little local memory, with so many cores that there are many blocks.
foreach(slice 1 2)
  add_test(NAME scans_pairwise_${slice} COMMAND scans --pairwise --slice ${slice}/4)
endforeach()
add_test(NAME scans_as_gpu COMMAND scans --filter scan_look_back)
add_test(NAME scans_as_gpu_by_runs COMMAND scans --filter "scan_reduce_then_scan add float")
add_test(NAME scans_in_32_bits COMMAND scans --filter "scan_look_back add float")
add_test(NAME scans_in_little_memory COMMAND scans --filter "scan_look_back add float")
add_test(NAME scans_by_many_blocks COMMAND scans --filter "scan_chunked add float")
set(assumed_scans_as_gpu "cpu=0")
set(assumed_scans_as_gpu_by_runs "cpu=0")
set(assumed_scans_in_32_bits "cpu=0,int64_atomics=0")
set(assumed_scans_in_little_memory "cpu=0,local_mem_size=2048")
set(assumed_scans_by_many_blocks "compute_units=1024")
set_tests_properties(scans_by_many_blocks PROPERTIES TIMEOUT 600 ENVIRONMENT
  CLREDUCE_TEST_ASSUME=${assumed_scans_by_many_blocks})
foreach(name scans_pairwise_1 scans_pairwise_2 scans_as_gpu scans_as_gpu_by_runs scans_in_32_bits scans_in_little_memory)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable;CLREDUCE_TEST_ASSUME=${assumed_${name}}")
endforeach()

# One runtime and its plans by many threads; once more under ThreadSanitizer. By hand they have 8 threads and 10000 calls (tests/README.md).
add_test(NAME threads COMMAND threads --threads 4 --calls 300)
set_tests_properties(threads PROPERTIES TIMEOUT 600 PROCESSORS 2 ENVIRONMENT CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable)
if(TARGET threads_tsan)
  add_test(NAME threads_tsan COMMAND threads_tsan --threads 4 --calls 60)
  set_tests_properties(threads_tsan PROPERTIES TIMEOUT 600 PROCESSORS 2 ENVIRONMENT CLREDUCE_TEST_BUILD_OPTIONS=-cl-opt-disable)
endif()

# Every kernel under Oclgrind, and faults that it must report there. 77: there is no oclgrind.
foreach(what quick planted)
  add_test(NAME kernels_checked_${what} COMMAND ${PROJECT_SOURCE_DIR}/tools/scripts/oclgrind.sh ${what} ${CMAKE_BINARY_DIR})
  set_tests_properties(kernels_checked_${what} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 ENVIRONMENT CLREDUCE_JOBS=1)
endforeach()
set_tests_properties(kernels_checked_quick PROPERTIES COST 900)

# What kernels are given by value they leave alone (cl/scan.clh).
if(CLREDUCE_PYTHON)
  add_test(NAME kernels_keep_arguments COMMAND ${CLREDUCE_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/kernels/test_arguments.py ${PROJECT_SOURCE_DIR}/cl)
endif()
