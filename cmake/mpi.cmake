# Finds MPI for libclreduce-mpi. By default it is used where it is found, but not as a part of another project.
# Sanitizers would report what MPI itself leaves behind.
if(is_top AND NOT DEFINED CLREDUCE_MPI AND NOT CLREDUCE_SANITIZE)
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    option(CLREDUCE_MPI "Build libclreduce-mpi: reductions over the ranks of an MPI communicator" ON)
  endif()
endif()
if(CLREDUCE_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
endif()

# Adds a test that runs a program on several ranks. MPICH ignores these variables of Open MPI:
# - It refuses to run as root, as tests in containers do, unless two variables allow it.
# - A machine may have fewer cores than the test has ranks: versions 4, 5 and 6 have a name each for this, and waiting
#   ranks must not spin.
# - Ranks of one machine need no network. Where version 5 finds no usable one, it prints "Unable to find reachable
#   pairing". Only shared memory is allowed, by a name that all versions know.
set(ranks_environment "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;\
OMPI_MCA_rmaps_base_oversubscribe=1;PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe;\
PRTE_MCA_mapby=:oversubscribe;OMPI_MCA_mpi_yield_when_idle=1;OMPI_MCA_btl=self,vader;\
OMPI_MCA_btl_vader_single_copy_mechanism=none")
function(add_ranks_test name ranks program)
  add_test(NAME ${name}
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${program}>)
  set_tests_properties(${name} PROPERTIES PROCESSORS 2 ENVIRONMENT "${ranks_environment};${ARGN}")
endfunction()
