// Binaries of programs in a cache directory: a second runtime loads what the first one built, and results keep their
// bits. The library builds a program again if its file is damaged or belongs to another program, or if the directory
// cannot be written. The linker puts the wrappers below between the library and OpenCL (--wrap=NAME).

#define _POSIX_C_SOURCE 200809L

#include "prototypes.h"
#include "support/fixture.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBERS 5000

// Numbers of calls since the latest runtime was made, and which functions fail.
static struct calls { int from_source, from_binary, builds, binaries_asked; } calls;

static bool refuse_binary, refuse_build, refuse_kernels, forget_a_kernel;

// If `lists_two`, a program has binaries for two devices, and the one for the other device is empty.
static bool lists_two, ours_second;

WRAPPED_OPENCL(clCreateProgramWithSource) {
  calls.from_source++;
  return __real_clCreateProgramWithSource ARGUMENTS_clCreateProgramWithSource;
}

WRAPPED_OPENCL(clCreateProgramWithBinary) {
  calls.from_binary++;
  if (!refuse_binary)
    return __real_clCreateProgramWithBinary ARGUMENTS_clCreateProgramWithBinary;
  *binary_status = *errcode_ret = CL_INVALID_BINARY;
  return NULL;
}

WRAPPED_OPENCL(clBuildProgram) {
  calls.builds++;
  if (refuse_build && calls.from_binary > calls.from_source)
    return CL_BUILD_PROGRAM_FAILURE;
  return __real_clBuildProgram ARGUMENTS_clBuildProgram;
}

WRAPPED_OPENCL(clCreateKernelsInProgram) {
  if (refuse_kernels && kernels)
    return CL_OUT_OF_RESOURCES;
  const cl_int err = __real_clCreateKernelsInProgram ARGUMENTS_clCreateKernelsInProgram;
  if (forget_a_kernel && num_kernels_ret)
    (*num_kernels_ret)--;
  return err;
}

WRAPPED_OPENCL(clGetProgramInfo) {
  calls.binaries_asked += param_name == CL_PROGRAM_BINARIES;
  if (!lists_two || (param_name != CL_PROGRAM_BINARIES && param_name != CL_PROGRAM_BINARY_SIZES))
    return __real_clGetProgramInfo ARGUMENTS_clGetProgramInfo;
  const size_t each = param_name == CL_PROGRAM_BINARIES ? sizeof(void *) : sizeof(size_t);
  if (param_value_size_ret)
    *param_value_size_ret = 2 * each;
  if (!param_value)
    return CL_SUCCESS;
  ck_assert_uint_ge(param_value_size, 2 * each);
  if (param_name == CL_PROGRAM_BINARY_SIZES)
    memset(param_value, 0, 2 * each);
  return __real_clGetProgramInfo(program, param_name, each, (char *)param_value + (ours_second ? each : 0), NULL);
}

// ---------------------------------------------------------------- A directory, and the work of one process

static char *directory;
static char lines[4096];

static void open_all(void) {
  fixture_open();
  directory = fixture_directory();
}

static void take_line(const char *line, void *user_data) {
  ck_assert_ptr_eq(user_data, lines);
  ck_assert_msg(strchr(line, '\n') == NULL, "more than a line: '%s'", line);
  snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s\n", line);
}

// A runtime with the device's build options, then these.
static clred_runtime *open_runtime_with(const char *cache_directory, const char *further) {
  const char *given = getenv("CLREDUCE_TEST_BUILD_OPTIONS");
  char options[256];
  snprintf(options, sizeof options, "%s%s", given ? given : "", further);
  const clred_options wanted = {.build_options = options,
                                .cache_directory = cache_directory,
                                .trust_driver = CL_TRUE,
                                .device_only = CL_TRUE,
                                .log = take_line,
                                .user_data = lines};
  clred_runtime *runtime = NULL;
  memset(&calls, 0, sizeof calls);
  lines[0] = '\0';
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &wanted, &runtime));
  return runtime;
}

static clred_runtime *open_runtime(void) {
  return open_runtime_with(directory, "");
}

// Short plans need no measurement of loops, which would build a program.
static const clred_problem sum = {OP(SUM, FLOAT), .count_max = NUMBERS},
                           greatest = {OP(MAX, FLOAT), .count_max = NUMBERS};

// Results have the bits of the reference on the host. The order of the additions changes the bits of the sum.
static void reduce(clred_runtime *runtime, const clred_problem *problem) {
  float numbers[NUMBERS], result = -1, expected = -2;
  clred_plan *plan = NULL;
  for (size_t i = 0; i < NUMBERS; i++)
    numbers[i] = 1.0f / (float)(i + 1);
  assert_ok(clred_plan_create(runtime, problem, &plan));
  RUN_HOST(plan, .in = numbers, .count = NUMBERS, .out = &result);
  if (!problem->custom) {
    REFERENCE(plan, .in = numbers, .count = NUMBERS, .out = &expected);
    ck_assert_msg(memcmp(&result, &expected, sizeof result) == 0, "%a is not %a", (double)result, (double)expected);
  }
  clred_plan_release(plan);
}

// Reduces by this runtime, which must have built and loaded these numbers of programs. Releases the runtime.
static void reduce_by(clred_runtime *runtime, const clred_problem *problem, unsigned builds, unsigned loads) {
  reduce(runtime, problem);
  ck_assert_msg(runtime_info(runtime).builds == builds && runtime_info(runtime).loads == loads,
                "%zu built, %zu loaded:\n%s", runtime_info(runtime).builds, runtime_info(runtime).loads, lines);
  ck_assert_int_eq(calls.from_source, (int)builds);
  clred_runtime_release(runtime);
}

static void sum_by(clred_runtime *runtime, unsigned builds, unsigned loads) {
  reduce_by(runtime, &sum, builds, loads);
}

static void assert_line(const char *words) {
  ck_assert_msg(strstr(lines, words) != NULL, "no line says '%s':\n%s", words, lines);
}

// The path of the only file in the directory.
static const char *only_file(void) {
  static char path[512];
  const struct dirent *entry;
  int count = 0;
  DIR *open = opendir(directory);
  while ((entry = readdir(open)) != NULL)
    if (entry->d_name[0] != '.' && ++count)
      snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
  closedir(open);
  ck_assert_int_eq(count, 1);
  return path;
}

struct image_of_file {
  unsigned char *bytes;
  size_t size;
};

static struct image_of_file read_file(const char *path) {
  struct stat facts;
  ck_assert_int_eq(stat(path, &facts), 0);
  struct image_of_file file = {claim((size_t)facts.st_size), (size_t)facts.st_size};
  FILE *in = fopen(path, "rb");
  ck_assert_uint_eq(fread(file.bytes, 1, file.size, in), file.size);
  fclose(in);
  return file;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size) {
  FILE *out = fopen(path, "wb");
  ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
  ck_assert_int_eq(fclose(out), 0);
}

TEST_CASE("kept", open_all, fixture_close);

TEST(cold_then_warm) {
  sum_by(open_runtime(), 1, 0);
  assert_line("built ");
  const struct image_of_file first = read_file(only_file());
  sum_by(open_runtime(), 0, 1);
  assert_line("loaded ");
  ck_assert(calls.from_binary == 1 && calls.builds == 1);
  sum_by(open_runtime_with(NULL, ""), 1, 0);
  // A loaded binary is not written again.
  const struct image_of_file second = read_file(only_file());
  ck_assert_uint_eq(first.size, second.size);
  ck_assert_mem_eq(first.bytes, second.bytes, first.size);
}

TEST(nothing_is_kept_unless_asked) {
  const char *const directories[] = {NULL, ""};
  for (size_t i = 0; i < COUNT_OF(directories); i++) {
    sum_by(open_runtime_with(directories[i], ""), 1, 0);
    ck_assert_int_eq(calls.binaries_asked, 0);
  }
  ck_assert_int_eq(rmdir(directory), 0);
  ck_assert_int_eq(mkdir(directory, 0700), 0);
}

TEST(loaded_programs_are_found_again) {
  sum_by(open_runtime(), 1, 0);
  clred_runtime *runtime = open_runtime();
  reduce(runtime, &sum);
  reduce(runtime, &sum);
  ck_assert_uint_eq(runtime_info(runtime).loads, 1);
  ck_assert_int_eq(calls.from_binary, 1);
  ck_assert_uint_eq(clred_runtime_save_cache(runtime), 0);
  ck_assert_int_eq(calls.binaries_asked, 0);
  clred_runtime_release(runtime);
  ck_assert_int_eq(calls.binaries_asked, 0);
}

// clred_runtime_save_cache is for programs that end without a release. An enqueue writes nothing.
TEST(saving_by_hand) {
  const bool cpu = device_fact(&under_test, "cpu", 0) != 0;
  clred_runtime *runtime = open_runtime();
  clred_plan *plan = NULL;
  float number = 3, result = 0;
  assert_ok(clred_plan_create(runtime, &sum, &plan));
  ck_assert_uint_eq(clred_runtime_save_cache(runtime), 0);
  ck_assert_int_eq(calls.binaries_asked, cpu ? 0 : 1);
  RUN_HOST(plan, .in = &number, .count = 1, .out = &result);
  ck_assert_int_eq(calls.binaries_asked, cpu ? 0 : 1);
  ck_assert_uint_eq(clred_runtime_save_cache(runtime), cpu ? 1 : 0);
  ck_assert_uint_eq(clred_runtime_save_cache(runtime), 0);
  ck_assert_int_eq(calls.binaries_asked, 1);
  only_file();
  RELEASE(plan, runtime);
  ck_assert_uint_eq(clred_runtime_save_cache(NULL), 0);
  ck_assert_uint_eq(runtime_info(NULL).loads, 0);
}

TEST(other_programs_have_other_files) {
  sum_by(open_runtime(), 1, 0);
  reduce_by(open_runtime(), &greatest, 1, 0);
  sum_by(open_runtime_with(directory, " -DOTHER"), 1, 0);
  ck_assert_int_eq(setenv("POCL_WORK_GROUP_METHOD", "loops", 1), 0);
  sum_by(open_runtime(), 1, 0);
  ck_assert_int_eq(unsetenv("POCL_WORK_GROUP_METHOD"), 0);
  sum_by(open_runtime(), 0, 1);
}

// Each plan has two programs: the first measures the sizes of types, and the second reduces.
TEST(operators_of_a_callers_own) {
  const clred_operator add = OPERATOR(.name = "add_up", .element = "float", .state = "float", .identity = "0",
                                      .combine = "a + b", .commutative = CL_TRUE, .elementwise = CL_TRUE);
  const clred_problem problem = {.custom = &add, .count_max = NUMBERS};
  reduce_by(open_runtime(), &problem, 2, 0);
  reduce_by(open_runtime(), &problem, 0, 2);
}

TEST_CASE("trouble", open_all, fixture_close);

// The cache cannot know what the included file contained.
TEST(texts_that_read_files_are_not_kept) {
  const clred_operator add =
    OPERATOR(.name = "add_up", .preamble = "#include \"sums.clh\"\n", .element = "float", .state = "float",
             .identity = "0", .combine = "JOINED(a, b)", .commutative = CL_TRUE);
  const clred_problem problem = {.custom = &add, .count_max = NUMBERS};
  char path[128], with_directory[128];
  snprintf(path, sizeof path, "%s/sums.clh", directory);
  snprintf(with_directory, sizeof with_directory, " -I%s", directory);
  const char text[] = "#define JOINED(a, b) ((a) + (b))\n";
  write_file(path, (const unsigned char *)text, sizeof text - 1);
  clred_runtime *runtime = open_runtime_with(directory, with_directory);
  reduce(runtime, &problem);
  ck_assert_uint_eq(clred_runtime_save_cache(runtime), 0);
  clred_runtime_release(runtime);
  ck_assert_int_eq(calls.binaries_asked, 0);
  only_file();
}

static void check_damaged(const char *path, const unsigned char *bytes, size_t size, const char *word) {
  write_file(path, bytes, size);
  clred_runtime *runtime = open_runtime();
  clred_plan *plan = NULL;
  assert_ok(clred_plan_create(runtime, &sum, &plan));
  ck_assert_int_eq(calls.from_binary, 0);
  ck_assert_uint_eq(runtime_info(runtime).builds, 1);
  assert_line(word);
  RELEASE(plan, runtime);
}

// The driver never sees a damaged file. The library builds the program and replaces the file. The unit suite
// cache_records has every kind of damage.
TEST(damaged_files_cost_a_build) {
  sum_by(open_runtime(), 1, 0);
  const char *path = only_file();
  const struct image_of_file file = read_file(path);
  check_damaged(path, file.bytes, file.size / 2, "is not used");
  file.bytes[file.size - 1] ^= 1;
  check_damaged(path, file.bytes, file.size, "is not used");
  sum_by(open_runtime(), 1, 0);
  sum_by(open_runtime(), 0, 1);
}

// Puts the file of another program instead of this program's file, as if both had the same name.
TEST(another_programs_file_costs_a_build) {
  char path[512];
  reduce_by(open_runtime(), &greatest, 1, 0);
  const struct image_of_file other = read_file(only_file());
  ck_assert_int_eq(unlink(only_file()), 0);
  sum_by(open_runtime(), 1, 0);
  snprintf(path, sizeof path, "%s", only_file());
  check_damaged(path, other.bytes, other.size, "is of another program");
}

TEST(drivers_that_refuse_cost_a_build) {
  bool *const refusals[] = {&refuse_binary, &refuse_build, &refuse_kernels, &forget_a_kernel};
  sum_by(open_runtime(), 1, 0);
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    *refusals[i] = true;
    sum_by(open_runtime(), 1, 0);
    ck_assert_int_eq(calls.from_binary, 1);
    assert_line("the driver refuses it");
    *refusals[i] = false;
    sum_by(open_runtime(), 0, 1);
  }
}

TEST(directories_that_cannot_be_written_cost_a_build) {
  char place[128], below[160];
  snprintf(place, sizeof place, "%s/place", directory);
  snprintf(below, sizeof below, "%s/missing/below", directory);
  write_file(place, (const unsigned char *)"", 0);
  const char *const directories[] = {place, below, "/proc/clreduce", "/dev/null"};
  for (size_t i = 0; i < COUNT_OF(directories); i++) {
    sum_by(open_runtime_with(directories[i], ""), 1, 0);
    assert_line(directories[i]);
  }
}

// A program belongs to all devices of its context, but the cache holds the binary for one of them.
TEST(contexts_of_several_devices) {
  cl_platform_id platform;
  cl_device_id devices[8];
  cl_uint count = 0;
  cl_int err;
  assert_ok(clGetDeviceInfo(under_test.id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
  assert_ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count));
  if (count < 2) {
    fixture_skip("contexts of several devices", "the platform has one");
    return;
  }
  // The device under test is the last one.
  count = count < 8 ? count : 8;
  for (cl_uint i = 0; i + 1 < count; i++)
    if (devices[i] == under_test.id) {
      devices[i] = devices[count - 1];
      devices[count - 1] = under_test.id;
    }
  const cl_context alone = under_test.context;
  under_test.context = clCreateContext(NULL, count, devices, NULL, NULL, &err);
  assert_ok(err);
  const cl_command_queue queue = under_test.queue;
  under_test.queue = fixture_queue(0);
  sum_by(open_runtime(), 1, 0);
  sum_by(open_runtime(), 0, 1);
  RELEASE(under_test.context);
  under_test.queue = queue;
  under_test.context = alone;
}

// By OpenCL's specification, a device for which nothing was built has a binary of 0 bytes.
TEST(drivers_that_list_all_devices) {
  lists_two = true;
  for (int i = 0; i < 2; i++) {
    ours_second = i != 0;
    sum_by(open_runtime(), 1, 0);
    sum_by(open_runtime(), 0, 1);
    ck_assert_int_eq(unlink(only_file()), 0);
  }
}
