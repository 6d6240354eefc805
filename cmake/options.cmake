# What every target of the project is compiled with; an interface target, so that nothing leaks to those who use us.
add_library(clreduce_options INTERFACE)
target_compile_definitions(clreduce_options INTERFACE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  # The host recomputes device results bit for bit, so it may not contract a * b + c.
  target_compile_options(clreduce_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-ffp-contract=off -Wall -Wextra -Wshadow
    -Wconversion -Wstrict-prototypes -Wmissing-prototypes -pedantic>)
  if(CLREDUCE_WERROR)
    target_compile_options(clreduce_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-Werror>)
  endif()
endif()

# Builds that watch themselves (CMakePresets.json has them by name). Every file is compiled so, hence not by the target above.
set(CLREDUCE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined or thread")
option(CLREDUCE_COVERAGE "Count which lines and branches run (GCC; tools/coverage.sh reads the counts)" OFF)
option(CLREDUCE_FUZZERS "Build tests/fuzz for libFuzzer (Clang)" OFF)
set(CLREDUCE_FUZZ_COPIES 1000 CACHE STRING "Damaged copies of each seed that the tests try where there is no libFuzzer")
set(CLREDUCE_FUZZ_SECONDS 3 CACHE STRING "Seconds that the tests give libFuzzer for each of its targets")
set(CLREDUCE_TEST_PATIENCE 1 CACHE STRING "What the time limits of the tests are multiplied by")
if(CLREDUCE_SANITIZE)
  add_compile_options(-fsanitize=${CLREDUCE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CLREDUCE_SANITIZE})
endif()
if(CLREDUCE_COVERAGE)
  # Several threads count.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
if(CLREDUCE_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# At a folder's end: all its tests get as much more time as the build asks for.
function(lengthen_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_test_property(${test} TIMEOUT limit)
    if(limit)
      math(EXPR limit "${limit} * ${CLREDUCE_TEST_PATIENCE}")
      set_tests_properties(${test} PROPERTIES TIMEOUT ${limit})
    endif()
  endforeach()
endfunction()
