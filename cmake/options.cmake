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
