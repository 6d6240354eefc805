# The suites and programs as CTests. CTest starts those with the highest COST first: about the seconds each takes while
# no program is in the driver's cache.

# Building programs takes most of the time, and PoCL builds several times as fast without its optimizer (`unoptimized`).
# Tests whose subject is arithmetic keep the optimizer.

# PoCL takes half a second for the first program that a process compiles, so the tests of a device suite share one.
set(one_process "CK_FORK=no;${declared}")

add_library(test_suite STATIC support/suite.c)
target_link_libraries(test_suite PUBLIC PkgConfig::CHECK PRIVATE clreduce_options)
add_library(test_fixture STATIC support/fixture.c)
target_link_libraries(test_fixture PUBLIC test_oracle test_suite PRIVATE clreduce_options)

# Unit suites open no device.
foreach(name platform shape tiles cuts staged reading bounds everywhere model host_loops source steps
        layout cache_files cache_records tuning facts texts trust message portable)
  add_executable(test_${name} unit/test_${name}.c)
  target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(test_${name} PRIVATE test_suite clreduce_static)
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME unit_${name} COMMAND test_${name})
endforeach()

# The readers of text and .npy in the tool, which need neither the library nor a device.
foreach(name text_number text_split npy)
  set(parts base/number.c input/text_split.c)
  if(name STREQUAL "npy")
    set(parts input/npy.c input/reorder.c)
  endif()
  list(TRANSFORM parts PREPEND ${PROJECT_SOURCE_DIR}/tools/)
  add_executable(test_${name} unit/test_${name}.c ${parts})
  target_include_directories(test_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tools)
  target_link_libraries(test_${name} PRIVATE test_suite clreduce_static clreduce_options m)
  add_test(NAME unit_${name} COMMAND test_${name})
endforeach()

# Device suites open the device in each test, and never before a fork where tests have processes of their own.
foreach(name hand_written events refusals kernels host calls laws operators scans look_back select_calls segments
        histogram warm trials loads cache tuned stream
        refused_functions hint results refused_calls quantiles sorts
        partials devices exact memory_ends)
  add_executable(test_${name} device/test_${name}.c)
  target_link_libraries(test_${name} PRIVATE test_fixture clreduce_options Threads::Threads)
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O0>)  # compiling takes longer than running
  target_compile_definitions(test_${name} PRIVATE CLREDUCE_TEST_CL_DIR="${PROJECT_SOURCE_DIR}/cl")
  add_test(NAME device_${name} COMMAND test_${name})
  set_tests_properties(device_${name} PROPERTIES COST 20 ENVIRONMENT "${one_process};${unoptimized}")
endforeach()
foreach(name quantiles sorts)
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O2>)  # the oracle sorts
endforeach()
# Results of any number are written past the caches (cl/scan/block.clh).
set_tests_properties(device_scans PROPERTIES ENVIRONMENT "${one_process};${unoptimized} -DSTREAMED_BYTES=1")
# These tests count calls, keep plans, or set variables that a process reads only once.
foreach(name cache calls kernels)
  set_tests_properties(device_${name} PROPERTIES FIXTURES_REQUIRED compiler ENVIRONMENT
    "${compiled_elsewhere};${unoptimized}")
endforeach()
foreach(name operators hand_written refusals laws tuned)
  set_tests_properties(device_${name} PROPERTIES COST 60)
endforeach()

foreach(name operators partials)
  target_sources(test_${name} PRIVATE support/operators.c)
endforeach()
target_sources(test_events PRIVATE threads/subjects.c support/calls.c)
target_sources(test_tuned PRIVATE grid/bits_kinds.c)

# These tests include headers of src: they read the slots, cells and runs of a plan, and set tuned numbers.
foreach(name look_back segments sorts tuned)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()

# These put functions of their own between the library and OpenCL or the C library.
wrap_functions(test_cache_files close read rename write)
wrap_functions(test_calls clBuildProgram clCreateBuffer clCreateKernel clCreateProgramWithSource clCreateSubBuffer
  clReleaseKernel clReleaseMemObject clReleaseProgram clRetainKernel clRetainMemObject clRetainProgram)
wrap_functions(test_cache clBuildProgram clCreateKernelsInProgram clCreateProgramWithBinary clCreateProgramWithSource
  clGetProgramInfo)
foreach(name calls cache hint)
  target_include_directories(test_${name} PRIVATE ${prototypes})
endforeach()
wrap_functions(test_hint clEnqueueNDRangeKernel clEnqueueReadBuffer clGetKernelWorkGroupInfo)

# Emulates NVIDIA's instructions: only NVIDIA's GPUs load by words.
set_tests_properties(device_loads PROPERTIES ENVIRONMENT "${one_process};${unoptimized} -DEMULATES_PTX=1")
# A second device, so that there are contexts of several.
set_property(TEST device_cache APPEND PROPERTY ENVIRONMENT "POCL_DEVICES=pthread basic")
set_property(TEST device_devices APPEND PROPERTY ENVIRONMENT "POCL_DEVICES=pthread basic pthread")
add_test(NAME device_look_back_one_thread COMMAND test_look_back)
set_tests_properties(device_look_back_one_thread PROPERTIES COST 20 ENVIRONMENT
  "POCL_MAX_PTHREAD_COUNT=1;${one_process};${unoptimized}")

add_test(NAME device_sorts_one_thread COMMAND test_sorts)
set_tests_properties(device_sorts_one_thread PROPERTIES COST 5 ENVIRONMENT
  "CK_RUN_CASE=look_back;POCL_MAX_PTHREAD_COUNT=1;${one_process};${unoptimized}")

# Checks of the source tree, in Python: the floors of src/ and how many files an entry point passes through; kernels
# that do not change their arguments (cl/scan/scan.clh); comments of public names, and links; the form of every file.
# Exit code 77: something that the check needs is missing.
if(CLREDUCE_PYTHON)
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  set(objects $<TARGET_OBJECTS:clreduce_objects>)
  if(TARGET clreduce_mpi)
    list(APPEND objects $<TARGET_OBJECTS:clreduce_mpi>)
  endif()
  if(TARGET clreduce_tool_objects)
    set(tool_objects $<TARGET_OBJECTS:clreduce_tool_objects>)
  endif()
  add_test(NAME layers COMMAND ${CLREDUCE_PYTHON} ${here}/layers.py --source ${PROJECT_SOURCE_DIR}/src --nm ${CMAKE_NM}
    --module ${PROJECT_SOURCE_DIR}/bindings/python/clreduce ${objects} ${tool_objects} COMMAND_EXPAND_LISTS)
  add_test(NAME layers_refuse COMMAND ${CLREDUCE_PYTHON} ${here}/test_layers.py ${PROJECT_SOURCE_DIR}/src ${CMAKE_NM}
    ${objects} ${tool_objects} COMMAND_EXPAND_LISTS)
  # The instrumentation of sanitizers and coverage adds calls, so these tests would count too many.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT CLREDUCE_SANITIZE AND NOT CLREDUCE_COVERAGE)
    foreach(limit enqueue_reduce=12 plan_create_v=60)
      string(REPLACE "=" ";" limit ${limit})
      list(GET limit 0 entry)
      list(GET limit 1 most)
      add_test(NAME reach_${entry} COMMAND ${CLREDUCE_PYTHON} ${PROJECT_SOURCE_DIR}/tools/reach.py
        --objdump ${CMAKE_OBJDUMP} --max ${most} clred_${entry} ${objects} COMMAND_EXPAND_LISTS)
    endforeach()
  endif()
  add_test(NAME kernels_keep_arguments
    COMMAND ${CLREDUCE_PYTHON} ${here}/kernels/test_arguments.py ${PROJECT_SOURCE_DIR}/cl)
  foreach(what documented links)
    add_test(NAME docs_${what} COMMAND ${CLREDUCE_PYTHON} ${here}/docs.py ${what})
  endforeach()
  find_program(CLREDUCE_DOXYGEN doxygen)
  if(CLREDUCE_DOXYGEN)
    add_test(NAME docs_site COMMAND ${CLREDUCE_PYTHON} -B ${PROJECT_SOURCE_DIR}/tools/site/site.py
      ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/site ${PROJECT_VERSION})
  else()
    skipped_test(docs_site "there is no Doxygen; install doxygen")
  endif()
  add_test(NAME docs_refuse COMMAND ${CLREDUCE_PYTHON} -B ${here}/test_docs.py)
  foreach(what lines format)
    add_test(NAME form_of_${what} COMMAND ${CLREDUCE_PYTHON} ${here}/form.py ${what})
    set_tests_properties(form_of_${what} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
  once(layers layers_refuse kernels_keep_arguments docs_documented docs_links docs_site docs_refuse form_of_lines
    form_of_format)
endif()
add_test(NAME operators_in_docs COMMAND ${CMAKE_COMMAND} -DOPERATORS=${CMAKE_CURRENT_SOURCE_DIR}/data/operators
  -DPAGE=${PROJECT_SOURCE_DIR}/docs/operators.md -DPROGRAM=${PROJECT_SOURCE_DIR}/examples/tutorial.c
  -DPROGRAM_PAGE=${PROJECT_SOURCE_DIR}/docs/tutorial.md -P ${CMAKE_CURRENT_SOURCE_DIR}/operators_in_docs.cmake)

once(operators_in_docs)
# Clang reads the programs that plans can make, as three versions of OpenCL C. 77: there is no Clang.
if(CLREDUCE_PYTHON)
  set(read_texts ${CLREDUCE_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/kernels/test_texts.py)
  add_test(NAME kernels_for_compilers COMMAND ${read_texts} --share ${CLREDUCE_TEST_SHARE} $<TARGET_FILE:texts>)
  add_test(NAME kernels_for_compilers_planted
    COMMAND ${read_texts} --plant ${PROJECT_SOURCE_DIR}/cl $<TARGET_FILE:texts>)
  once(kernels_for_compilers_planted)
  set_tests_properties(kernels_for_compilers kernels_for_compilers_planted PROPERTIES COST 80 SKIP_RETURN_CODE 77)
endif()

# program_test(NAME COST ENVIRONMENT COMMAND ...)
function(program_test name cost environment)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES COST ${cost} ENVIRONMENT "${environment};${declared}")
endfunction()

# sliced_test(NAME COST ENVIRONMENT I/N COMMAND ...): a program takes the Ith of N slices of its list, and of the slice
# what CLREDUCE_TEST_SHARE says.
function(sliced_test name cost environment slice)
  string(REPLACE "/" ";" slice ${slice})
  list(GET slice 0 i)
  list(GET slice 1 n)
  math(EXPR n "${n} * ${CLREDUCE_TEST_SHARE}")
  program_test(${name} ${cost} "${environment}" ${ARGN} --slice ${i}/${n})
endfunction()

# The order fixed/1 and stored bits. one_set_of_bits also runs on assumed devices; `bits --order --full` is for GPUs, by
# hand.
program_test(one_order 60 "" bits --order --compare ${CMAKE_CURRENT_SOURCE_DIR}/data/fixed1.txt)
sliced_test(one_set_of_bits 60 "${unoptimized}" 1/1 bits --compare ${CMAKE_CURRENT_SOURCE_DIR}/data/bits1.txt)
# Reductions and scans in parts, on devices that differ in the shape and in whether elements are copied there.
function(parts_of number facts slice)
  sliced_test(parts_${number} 60 "${unoptimized};CLREDUCE_TEST_ASSUME=${facts}" ${slice} parts --most 3000017)
endfunction()
parts_of(1 "cpu=1,max_alloc=65536" 1/2)
parts_of(2 "cpu=0,unified_memory=0,max_alloc=65536" 1/2)
parts_of(3 "cpu=0,max_alloc=1048576" 2/2)
parts_of(4 "cpu=1,unified_memory=0,max_alloc=1048576" 2/2)
sliced_test(parts_on_devices 60 "${unoptimized};POCL_DEVICES=pthread basic pthread" 1/1 parts --most 5000)
program_test(more_than_32_bits 10 "" large)
program_test(chains_in_order 10 "" chains)

# The order exact beside MPFR: all operators on the host, some on the device.
if(TARGET exact)
  program_test(exact_on_host 5 "" exact)
  program_test(exact_ignoring_nans 5 "" exact --ignore-nan --seed 2)
  program_test(exact_on_device 30 "" exact --strategy auto --few --most 20000)
  program_test(exact_on_device_as_gpu 30 "${unoptimized};CLREDUCE_TEST_ASSUME=cpu=0" exact --strategy auto --few
    --seed 3 --most 20000)
  program_test(exact_in_full_bins 10 "" exact --strategy chunked --filter "sum double" --groups 1
    --seed 2 --problems 70 --most 400000)
  # One group adds many chunks; a low limit of digits makes carries frequent (cl/exact/digits.clh).
  program_test(exact_in_chunks 10 "CLREDUCE_TEST_BUILD_OPTIONS=-DDIGIT_LIMIT=4194304" exact --strategy wide
    --filter "sum " --groups 1 --seed 4 --problems 91 --most 20000)
  program_test(exact_squares_in_blocks 10 "" exact --strategy chunked --filter "var float" --groups 1
    --problems 910 --most 1100)
  program_test(exact_squares_in_chunks 10 "" exact --strategy wide --filter "var double" --groups 1
    --problems 182 --most 3000)
else()
  skipped_test(exact "there is no MPFR to compare the order exact with; install libmpfr-dev")
endif()

# A part of the pairs of the grid and the algebra, in which each strategy, finish, operator and type occurs several
# times; full.sh runs the whole grid. The first slice of each has the optimizer.
sliced_test(grid_pairwise_1 60 "" 1/8 grid --pairwise)
sliced_test(grid_pairwise_2 40 "${unoptimized}" 2/8 grid --pairwise)
sliced_test(algebra_pairwise_1 60 "" 1/8 algebra --pairwise)
sliced_test(algebra_pairwise_2 40 "${unoptimized}" 2/8 algebra --pairwise)

# NVIDIA's instructions for extremes and bytes emulated (cl/common/ptx.clh), and partials handed over in cells; for
# places also between many groups (cl/group/places.clh). Without MUST_GO_BY_PLACE, states would be right, too.
set(ptx "${unoptimized} -DEMULATES_PTX=1")
set(gpu "CLREDUCE_TEST_ASSUME=cpu=0,compute_units=132,forward_progress=1")
sliced_test(algebra_as_by_ptx_max 40 "${ptx};CLREDUCE_TEST_ASSUME=cpu=0,forward_progress=1" 1/1
  algebra --full --most 1000 --filter "wide max")
sliced_test(algebra_as_by_ptx_arg 60 "${ptx};${gpu}" 1/1 algebra --full --filter "wide argm")
program_test(places_of_many_groups 20 "${ptx};${gpu}" layouts --filter "wide+last_group arg")
# Groups that hand over in cells, that publish late, and that may not wait; with many threads of the device, with one.
program_test(hand_over_late 20 "${unoptimized} -DFAULT_DELAY=100000;${gpu}"
  layouts --most 70000 --filter "float G2")
program_test(hand_over_one_thread 20 "${unoptimized};${gpu};POCL_MAX_PTHREAD_COUNT=1"
  layouts --filter "float G2")
program_test(hand_over_by_the_last 20
  "${unoptimized};CLREDUCE_TEST_ASSUME=cpu=0,compute_units=132,forward_progress=0" layouts --filter "float G2")

# Pairs of scans; and assumed devices with the strategies for which they differ: a GPU, words of 32 bits,
# little local memory, and so many cores that there are many blocks.
function(assumed_scans name facts filter)
  program_test(scans_${name} 20 "${unoptimized};CLREDUCE_TEST_ASSUME=${facts}" scans --filter ${filter})
endfunction()
sliced_test(scans_pairwise_1 20 "${unoptimized}" 1/4 scans --pairwise)
sliced_test(scans_pairwise_2 20 "${unoptimized}" 2/4 scans --pairwise)
program_test(repeated_calls 40 "${unoptimized}" repeat --most 262144 --runs 10 --filter "sum float inclusive")
assumed_scans(as_gpu "cpu=0" scan_wide)
assumed_scans(as_gpu_by_runs "cpu=0" "scan_reduce_then_scan sum float")
assumed_scans(in_32_bits "cpu=0,int64_atomics=0" "scan_wide sum float")
assumed_scans(in_little_memory "cpu=0,local_mem_size=2048" "scan_wide sum float")
assumed_scans(by_many_blocks "compute_units=1024" "scan_chunked sum float")

# Every layout by every strategy that reads it; then assumed devices: what a GPU takes; segments with groups whose
# partials do not fit local memory; and runs without 64-bit atomics.
sliced_test(layouts_pairwise_1 60 "${unoptimized}" 1/2 layouts --pairwise)
sliced_test(layouts_pairwise_2 60 "${unoptimized}" 2/2 layouts --pairwise)
function(assumed_layouts name facts filter)
  program_test(layouts_${name} 40 "${unoptimized};CLREDUCE_TEST_ASSUME=${facts}" layouts --filter ${filter})
endfunction()
assumed_layouts(selections_as_gpu "cpu=0" "select")
set(facts_1 "cpu=0,int64_atomics=0")
set(facts_2 "cpu=0,local_mem_size=2048")
set(facts_3 "cpu=0,local_mem_size=2048,int64_atomics=0")
set(facts_4 "cpu=0,local_mem_size=512")
foreach(i 1 2 3 4)
  assumed_layouts(histograms_${i} "${facts_${i}}" "histogram_local")
endforeach()
assumed_layouts(in_little_memory "cpu=0,local_mem_size=2048" " G8")
assumed_layouts(in_32_bits "cpu=0,int64_atomics=0" "runs_wide")
# Without double, 64-bit atomics, or much local memory, exact sums are done in integers.
assumed_layouts(exact_in_integers "cpu=0,fp64=0,int64_atomics=0,local_mem_size=4096" "sum float exact")

# `auto` takes the same calls on devices that differ by facts, with the same bits. Each device has a part of the calls.
# What compilers do wrong, they do with the optimizer. PoCL 6.0 compiles some kernels differently from one time to the
# next, and now and then wrong (docs/portability.md): `auto` finds that by trials, and takes another strategy.
set(device_0 "cpu=0")
set(device_1 "cpu=0,local_mem_size=16384")
set(device_2 "cpu=0,max_work_group_size=16,int64_atomics=0")
set(device_3 "atomics=0")
set(device_4 "loop_trips=65535")
set(device_5 "cpu=0,local_atomics=0,device_fence=0")
set(device_6 "cpu=0,max_work_group_size=1,local_mem_size=32768,atomics=0,loop_trips=65535")
foreach(i 0 1 2 3 4 5 6)
  math(EXPR slice "${i} % 6 + 1")
  sliced_test(every_device_${i} 30 "CLREDUCE_TEST_TRIALS=1;CLREDUCE_TEST_ASSUME=${device_${i}}" ${slice}/6
    layouts --filter "auto ")
endforeach()

# One runtime and its plans used by many threads, once more under ThreadSanitizer. tests/README.md has the longer runs.
program_test(threads 60 "${unoptimized}" threads --threads 4 --calls 300)
if(TARGET threads_tsan)
  program_test(threads_tsan 60 "${unoptimized}" threads_tsan --threads 4 --calls 60)
elseif(NOT CLREDUCE_SANITIZE AND NOT CLREDUCE_COVERAGE)
  skipped_test(threads_tsan "the C compiler has no ThreadSanitizer")
endif()

# Every kernel under Oclgrind, and planted faults that it must report; and counts of what kernels do, which the analysis
# of plans must state. 77: Oclgrind is missing.
foreach(what quick planted counts)
  add_test(NAME kernels_checked_${what} COMMAND ${PROJECT_SOURCE_DIR}/tools/scripts/oclgrind.sh ${what}
    ${CMAKE_BINARY_DIR})
  set_tests_properties(kernels_checked_${what} PROPERTIES COST 60 SKIP_RETURN_CODE 77)
endforeach()
set_tests_properties(kernels_checked_quick PROPERTIES COST 150)
