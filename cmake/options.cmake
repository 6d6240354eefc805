# The compile options of every target of the project. It is an interface target, so that projects that use the library
# do not inherit the options.
add_library(clreduce_options INTERFACE)
target_compile_definitions(clreduce_options INTERFACE _POSIX_C_SOURCE=200809L CL_TARGET_OPENCL_VERSION=120)
if(MINGW)
  # The C library of Windows does not know %zu, so MinGW's own printf is used.
  target_compile_definitions(clreduce_options INTERFACE __USE_MINGW_ANSI_STDIO=1)
endif()
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  # The host recomputes device results bit for bit, so it may not contract a * b + c.
  set(flags -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -pedantic)
  # It must also compute in the types as written, and not in wider ones (FLT_EVAL_METHOD, checked in host_words.h).
  if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "86|AMD64")
    list(APPEND flags -msse2 -mfpmath=sse)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "s390" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -fexcess-precision=fast)
  endif()
  # MinGW's isnan and isinf are macros that also convert a double to float, in a branch that is not taken.
  if(MINGW)
    list(APPEND flags -Wno-float-conversion)
  endif()
  if(CLREDUCE_WERROR)
    list(APPEND flags -Werror)
  endif()
  target_compile_options(clreduce_options INTERFACE "$<$<COMPILE_LANGUAGE:C>:${flags}>")
endif()

# BUILD_SHARED_LIBS: not set, both libraries, and the tool contains the static one; ON, the tool uses the shared one, as
# packages do; OFF, the static one alone.
set(CLREDUCE_SHARED ON)
set(CLREDUCE_TOOL_LIBRARY clreduce_static)
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
  set(CLREDUCE_SHARED OFF)
elseif(BUILD_SHARED_LIBS)
  set(CLREDUCE_TOOL_LIBRARY clreduce)
endif()

# Builds with sanitizers or counters (CMakePresets.json names them). All files need these options, so they are set for
# the whole tree and not by the target above.
set(CLREDUCE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined or thread")
option(CLREDUCE_COVERAGE "Count which lines and branches run (GCC; tools/scripts/coverage.sh reads the counts)" OFF)
option(CLREDUCE_FUZZERS "Build tests/fuzz for libFuzzer (Clang)" OFF)
set(CLREDUCE_FUZZ_COPIES 1000 CACHE STRING "Damaged copies of each seed that the tests try where there is no libFuzzer")
set(CLREDUCE_FUZZ_ROUNDS 1000 CACHE STRING "Inputs that the tests try with libFuzzer for each of its targets")
set(CLREDUCE_TEST_SHARE 4 CACHE STRING "The tests take each Nth case of long lists; 1: each case")
set(CLREDUCE_TEST_PATIENCE 1 CACHE STRING "What the time limits of the tests are multiplied by")
if(CLREDUCE_SANITIZE)
  add_compile_options(-fsanitize=${CLREDUCE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CLREDUCE_SANITIZE})
endif()
if(CLREDUCE_COVERAGE)
  # Several threads update the counters.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
  add_compile_definitions(CLREDUCE_COUNTS)
endif()
if(CLREDUCE_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Call this at the end of a directory's CMakeLists.txt. It gives all tests of the directory one time limit, which a busy
# machine does not reach. CLREDUCE_TEST_PATIENCE multiplies the limit.
function(lengthen_tests)
  get_property(tests DIRECTORY PROPERTY TESTS)
  math(EXPR limit "1800 * ${CLREDUCE_TEST_PATIENCE}")
  foreach(test IN LISTS tests)
    set_tests_properties(${test} PROPERTIES TIMEOUT ${limit})
  endforeach()
endfunction()
