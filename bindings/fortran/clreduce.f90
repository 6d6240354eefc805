! libclreduce for Fortran 2008 and later (docs/languages.md). Compile this file with your program, and link with
! -lclreduce -lOpenCL. It has sums, dot products, scans and operators of your own over arrays in host memory; for all
! else it defines the structs and functions of C that a program needs (clred_...).
!
!   type(clreduce_device) :: device
!   call clreduce_open(device)
!   call clreduce_sum(device, prices, total)
!   call clreduce_close(device)
!
! Each procedure that can fail has an optional last argument `status`. If it is absent, an error ends the program with
! the message of the error (error stop). Otherwise `status` is 0 or the error, and clreduce_error gives the message.
module clreduce
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private
  public :: clreduce_device, clreduce_operator, clreduce_plan
  public :: clreduce_open, clreduce_close, clreduce_error, clreduce_sum, clreduce_dot, clreduce_scan
  public :: clreduce_plan_operator, clreduce_run, clreduce_release
  public :: clred_problem, clred_operator, clred_operand, clred_host_call

  ! The version of the headers that the structs below were written for (clreduce_abi.h).
  integer(c_int), parameter :: header = 1
  integer(c_int), parameter, public :: clreduce_inclusive = 1, clreduce_exclusive = 2

  ! The first OpenCL device, with a queue and a runtime.
  type :: clreduce_device
    type(c_ptr) :: id = c_null_ptr, context = c_null_ptr, queue = c_null_ptr, runtime = c_null_ptr
  end type clreduce_device

  type :: clreduce_plan
    type(c_ptr) :: handle = c_null_ptr
  end type clreduce_plan

  ! An operator of your own, in OpenCL C (docs/operators.md). Leave out preamble, lift, lower and result where you do
  ! not need them.
  type :: clreduce_operator
    character(:), allocatable :: name, preamble, element, state, result, identity, lift, combine, lower
    logical :: commutative = .false., elementwise = .false.
  end type clreduce_operator

  ! ---------------------------------------------------------------- Structs of clreduce.h

  type, bind(C) :: clred_problem
    integer(c_int) :: type = 0, op = 0
    type(c_ptr) :: custom = c_null_ptr, selection = c_null_ptr, histogram = c_null_ptr
    integer(c_int) :: scan = 0, state = 0, nan = 0, overflow = 0
    integer(c_int32_t) :: reversed = 0, indices = 0
    integer(c_int) :: layout = 0, segment_type = 0
    integer(c_int32_t) :: in_place = 0
    integer(c_int64_t) :: count_max = 0
    type(c_ptr) :: strategy = c_null_ptr, finish = c_null_ptr
    integer(c_int) :: order = 0
    integer(c_int64_t) :: group_size = 0, groups = 0, elements = 0
    integer(c_int32_t) :: in_flight = 0, profile = 0
    integer(c_int64_t) :: stop_at = 0
    integer(c_int) :: stage = 0
    type(c_ptr) :: list = c_null_ptr
    integer(c_size_t) :: list_count = 0
    integer(c_int) :: result_bits = 0
    integer(c_int32_t) :: host_calls = 0
  end type clred_problem

  type, bind(C) :: clred_operand
    type(c_ptr) :: name = c_null_ptr, type = c_null_ptr
    integer(c_size_t) :: size = 0
  end type clred_operand

  type, bind(C) :: clred_operator
    type(c_ptr) :: name = c_null_ptr, preamble = c_null_ptr, element = c_null_ptr, state = c_null_ptr
    type(c_ptr) :: result = c_null_ptr
    integer(c_size_t) :: element_size = 0, state_size = 0, result_size = 0
    type(c_ptr) :: identity = c_null_ptr, lift = c_null_ptr, combine = c_null_ptr, lower = c_null_ptr
    type(c_ptr) :: inputs = c_null_ptr
    integer(c_size_t) :: input_count = 0
    type(c_ptr) :: parameters = c_null_ptr
    integer(c_size_t) :: parameter_count = 0
    integer(c_int32_t) :: commutative = 0, elementwise = 0
    type(c_ptr) :: host = c_null_ptr
  end type clred_operator

  type, bind(C) :: clred_host_call
    type(c_ptr) :: in = c_null_ptr, inputs = c_null_ptr, parameters = c_null_ptr
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: initial = c_null_ptr, out = c_null_ptr, kept = c_null_ptr
    integer(c_int64_t) :: stride = 0, rows = 0, row_stride = 0, columns = 0
  end type clred_host_call

  ! ---------------------------------------------------------------- Functions of C

  interface
    integer(c_int) function clGetPlatformIDs(most, platforms, found) bind(C, name='clGetPlatformIDs')
      import
      integer(c_int32_t), value :: most
      type(c_ptr) :: platforms
      type(c_ptr), value :: found
    end function
    integer(c_int) function clGetDeviceIDs(platform, kind, most, devices, found) bind(C, name='clGetDeviceIDs')
      import
      type(c_ptr), value :: platform, found
      integer(c_int64_t), value :: kind
      integer(c_int32_t), value :: most
      type(c_ptr) :: devices
    end function
    type(c_ptr) function clCreateContext(properties, count, devices, notify, user_data, err) &
        bind(C, name='clCreateContext')
      import
      type(c_ptr), value :: properties, user_data
      integer(c_int32_t), value :: count
      type(c_ptr) :: devices
      type(c_funptr), value :: notify
      integer(c_int) :: err
    end function
    type(c_ptr) function clCreateCommandQueue(context, device, properties, err) bind(C, name='clCreateCommandQueue')
      import
      type(c_ptr), value :: context, device
      integer(c_int64_t), value :: properties
      integer(c_int) :: err
    end function
    integer(c_int) function clReleaseCommandQueue(queue) bind(C, name='clReleaseCommandQueue')
      import
      type(c_ptr), value :: queue
    end function
    integer(c_int) function clReleaseContext(context) bind(C, name='clReleaseContext')
      import
      type(c_ptr), value :: context
    end function
    integer(c_int) function clred_runtime_create_v(version, context, device, options, runtime) &
        bind(C, name='clred_runtime_create_v')
      import
      integer(c_int32_t), value :: version
      type(c_ptr), value :: context, device, options
      type(c_ptr) :: runtime
    end function
    subroutine clred_runtime_release(runtime) bind(C, name='clred_runtime_release')
      import
      type(c_ptr), value :: runtime
    end subroutine
    integer(c_size_t) function clred_copy_error(runtime, text, size) bind(C, name='clred_copy_error')
      import
      type(c_ptr), value :: runtime
      character(kind=c_char) :: text(*)
      integer(c_size_t), value :: size
    end function
    integer(c_int) function clred_type_from_name(name) bind(C, name='clred_type_from_name')
      import
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function clred_op_from_name(name) bind(C, name='clred_op_from_name')
      import
      character(kind=c_char), intent(in) :: name(*)
    end function
    integer(c_int) function clred_reduce_host(runtime, kind, op, in, count, result) bind(C, name='clred_reduce_host')
      import
      type(c_ptr), value :: runtime, in, result
      integer(c_int), value :: kind, op
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function clred_scan_host(runtime, kind, op, scan, in, count, out) bind(C, name='clred_scan_host')
      import
      type(c_ptr), value :: runtime, in, out
      integer(c_int), value :: kind, op, scan
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function clred_plan_create_v(version, runtime, problem, plan) bind(C, name='clred_plan_create_v')
      import
      integer(c_int32_t), value :: version
      type(c_ptr), value :: runtime
      type(clred_problem), intent(in) :: problem
      type(c_ptr) :: plan
    end function
    subroutine clred_plan_release(plan) bind(C, name='clred_plan_release')
      import
      type(c_ptr), value :: plan
    end subroutine
    integer(c_int) function clred_plan_run_host_v(version, queue, plan, host_call) bind(C, name='clred_plan_run_host_v')
      import
      integer(c_int32_t), value :: version
      type(c_ptr), value :: queue, plan
      type(clred_host_call), intent(in) :: host_call
    end function
  end interface
  public :: clred_type_from_name, clred_op_from_name, clred_plan_create_v, clred_plan_run_host_v, clred_plan_release

  ! ---------------------------------------------------------------- By the type of the elements

  ! clreduce_sum(device, x, total [, status]): sums of integers are integer(int64).
  interface clreduce_sum
    module procedure sum_int32, sum_int64, sum_real32, sum_real64
  end interface
  ! clreduce_dot(device, x, y, total [, status]): the sum of x * y.
  interface clreduce_dot
    module procedure dot_int32, dot_int64, dot_real32, dot_real64
  end interface
  ! clreduce_scan(device, op, kind, x, out [, status]): `op` is a name such as 'sum' or 'max'; `kind` is
  ! clreduce_inclusive or clreduce_exclusive.
  interface clreduce_scan
    module procedure scan_int32, scan_int64, scan_real32, scan_real64
  end interface

contains

  ! ---------------------------------------------------------------- Device and errors

  subroutine clreduce_open(device, status)
    type(clreduce_device), intent(out) :: device
    integer, intent(out), optional :: status
    integer(c_int64_t), parameter :: all_kinds = int(z'FFFFFFFF', c_int64_t)
    type(c_ptr) :: platform
    integer(c_int) :: err
    err = clGetPlatformIDs(1_c_int32_t, platform, c_null_ptr)
    if (err == 0) err = clGetDeviceIDs(platform, all_kinds, 1_c_int32_t, device%id, c_null_ptr)
    if (err == 0) device%context = &
      clCreateContext(c_null_ptr, 1_c_int32_t, device%id, c_null_funptr, c_null_ptr, err)
    if (err == 0) device%queue = clCreateCommandQueue(device%context, device%id, 0_c_int64_t, err)
    if (err == 0) err = clred_runtime_create_v(header, device%context, device%id, c_null_ptr, device%runtime)
    if (err /= 0) call clreduce_close(device)
    call report(device, err, status)
  end subroutine clreduce_open

  ! Release the plans first.
  subroutine clreduce_close(device)
    type(clreduce_device), intent(inout) :: device
    integer(c_int) :: ignored
    call clred_runtime_release(device%runtime)
    if (c_associated(device%queue)) ignored = clReleaseCommandQueue(device%queue)
    if (c_associated(device%context)) ignored = clReleaseContext(device%context)
    device = clreduce_device()
  end subroutine clreduce_close

  ! The message of the last failure.
  function clreduce_error(device) result(message)
    type(clreduce_device), intent(in) :: device
    character(:), allocatable :: message
    character(kind=c_char) :: text(512)
    integer :: i, length
    length = int(min(clred_copy_error(device%runtime, text, size(text, kind=c_size_t)), size(text, kind=c_size_t) - 1))
    allocate(character(length) :: message)
    do i = 1, length
      message(i:i) = text(i)
    end do
  end function clreduce_error

  ! Sets `status`; without it, an error prints its message and ends the program.
  subroutine report(device, err, status)
    type(clreduce_device), intent(in) :: device
    integer(c_int), intent(in) :: err
    integer, intent(out), optional :: status
    character(12) :: number
    if (present(status)) then
      status = int(err)
    else if (err /= 0) then
      write (number, '(i0)') err
      if (c_associated(device%runtime)) then
        error stop 'clreduce: error '//trim(number)//': '//clreduce_error(device)
      else
        error stop 'clreduce: no OpenCL device can be used: error '//trim(number)
      end if
    end if
  end subroutine report

  ! ---------------------------------------------------------------- Operators of your own

  ! A text as C has it, in `copy`; returns its address, or a null pointer if `text` is not allocated.
  function c_text(text, copy) result(at)
    character(:), allocatable, intent(in) :: text
    character(:), allocatable, target, intent(out) :: copy
    type(c_ptr) :: at
    at = c_null_ptr
    if (.not. allocated(text)) return
    copy = text//c_null_char
    at = c_loc(copy)
  end function c_text

  subroutine clreduce_plan_operator(device, operator, plan, status)
    type(clreduce_device), intent(in) :: device
    type(clreduce_operator), intent(in) :: operator
    type(clreduce_plan), intent(out) :: plan
    integer, intent(out), optional :: status
    character(:), allocatable, target :: name, preamble, element, state, result, identity, lift, combine, lower
    type(clred_operator), target :: custom
    type(clred_problem) :: problem
    custom%name = c_text(operator%name, name)
    custom%preamble = c_text(operator%preamble, preamble)
    custom%element = c_text(operator%element, element)
    custom%state = c_text(operator%state, state)
    custom%result = c_text(operator%result, result)
    custom%identity = c_text(operator%identity, identity)
    custom%lift = c_text(operator%lift, lift)
    custom%combine = c_text(operator%combine, combine)
    custom%lower = c_text(operator%lower, lower)
    custom%commutative = merge(1_c_int32_t, 0_c_int32_t, operator%commutative)
    custom%elementwise = merge(1_c_int32_t, 0_c_int32_t, operator%elementwise)
    problem%custom = c_loc(custom)
    call report(device, clred_plan_create_v(header, device%runtime, problem, plan%handle), status)
  end subroutine clreduce_plan_operator

  ! Runs a plan over `count` elements at `in` and writes its results to `out`: both from c_loc.
  subroutine clreduce_run(device, plan, in, count, out, status)
    type(clreduce_device), intent(in) :: device
    type(clreduce_plan), intent(in) :: plan
    type(c_ptr), intent(in) :: in, out
    integer(int64), intent(in) :: count
    integer, intent(out), optional :: status
    type(clred_host_call) :: host_call
    host_call%in = in
    host_call%count = count
    host_call%out = out
    call report(device, clred_plan_run_host_v(header, device%queue, plan%handle, host_call), status)
  end subroutine clreduce_run

  subroutine clreduce_release(plan)
    type(clreduce_plan), intent(inout) :: plan
    call clred_plan_release(plan%handle)
    plan%handle = c_null_ptr
  end subroutine clreduce_release

  ! ---------------------------------------------------------------- Built-in operators

  subroutine sum_any(device, kind, x, count, total, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: kind
    type(c_ptr), intent(in) :: x, total
    integer(int64), intent(in) :: count
    integer, intent(out), optional :: status
    call report(device, clred_reduce_host(device%runtime, clred_type_from_name(kind//c_null_char), &
                                          clred_op_from_name('sum'//c_null_char), x, count, total), status)
  end subroutine sum_any

  subroutine dot_any(device, kind, x, y, counts, total, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: kind
    type(c_ptr), intent(in) :: x, y, total
    integer(int64), intent(in) :: counts(2)
    integer, intent(out), optional :: status
    integer(c_int), parameter :: invalid_argument = -4001
    type(c_ptr), target :: inputs(1)
    type(clred_problem) :: problem
    type(clred_host_call) :: host_call
    type(c_ptr) :: plan
    integer(c_int) :: err
    inputs(1) = y
    problem%type = clred_type_from_name(kind//c_null_char)
    problem%op = clred_op_from_name('dot'//c_null_char)
    host_call = clred_host_call(in=x, inputs=c_loc(inputs), count=counts(1), out=total)
    plan = c_null_ptr
    err = merge(0_c_int, invalid_argument, counts(1) == counts(2))
    if (err == 0) err = clred_plan_create_v(header, device%runtime, problem, plan)
    if (err == 0) err = clred_plan_run_host_v(header, device%queue, plan, host_call)
    call clred_plan_release(plan)
    call report(device, err, status)
  end subroutine dot_any

  subroutine scan_any(device, op, scan, kind, x, counts, out, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: op, kind
    integer(c_int), intent(in) :: scan
    type(c_ptr), intent(in) :: x, out
    integer(int64), intent(in) :: counts(2)
    integer, intent(out), optional :: status
    integer(c_int), parameter :: out_of_range = -4007
    integer(c_int) :: err
    err = merge(0_c_int, out_of_range, counts(1) <= counts(2))
    if (err == 0) err = clred_scan_host(device%runtime, clred_type_from_name(kind//c_null_char), &
                                        clred_op_from_name(op//c_null_char), scan, x, counts(1), out)
    call report(device, err, status)
  end subroutine scan_any

  subroutine sum_int32(device, x, total, status)
    type(clreduce_device), intent(in) :: device
    integer(int32), intent(in), contiguous, target :: x(:)
    integer(int64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call sum_any(device, 'int', c_loc(x), size(x, kind=int64), c_loc(total), status)
  end subroutine sum_int32

  subroutine dot_int32(device, x, y, total, status)
    type(clreduce_device), intent(in) :: device
    integer(int32), intent(in), contiguous, target :: x(:), y(:)
    integer(int64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call dot_any(device, 'int', c_loc(x), c_loc(y), [size(x, kind=int64), size(y, kind=int64)], c_loc(total), status)
  end subroutine dot_int32

  subroutine scan_int32(device, op, kind, x, out, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: op
    integer(c_int), intent(in) :: kind
    integer(int32), intent(in), contiguous, target :: x(:)
    integer(int64), intent(out), contiguous, target :: out(:)
    integer, intent(out), optional :: status
    call scan_any(device, op, kind, 'int', c_loc(x), [size(x, kind=int64), size(out, kind=int64)], c_loc(out), &
                  status)
  end subroutine scan_int32

  subroutine sum_int64(device, x, total, status)
    type(clreduce_device), intent(in) :: device
    integer(int64), intent(in), contiguous, target :: x(:)
    integer(int64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call sum_any(device, 'long', c_loc(x), size(x, kind=int64), c_loc(total), status)
  end subroutine sum_int64

  subroutine dot_int64(device, x, y, total, status)
    type(clreduce_device), intent(in) :: device
    integer(int64), intent(in), contiguous, target :: x(:), y(:)
    integer(int64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call dot_any(device, 'long', c_loc(x), c_loc(y), [size(x, kind=int64), size(y, kind=int64)], c_loc(total), status)
  end subroutine dot_int64

  subroutine scan_int64(device, op, kind, x, out, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: op
    integer(c_int), intent(in) :: kind
    integer(int64), intent(in), contiguous, target :: x(:)
    integer(int64), intent(out), contiguous, target :: out(:)
    integer, intent(out), optional :: status
    call scan_any(device, op, kind, 'long', c_loc(x), [size(x, kind=int64), size(out, kind=int64)], c_loc(out), &
                  status)
  end subroutine scan_int64

  subroutine sum_real32(device, x, total, status)
    type(clreduce_device), intent(in) :: device
    real(real32), intent(in), contiguous, target :: x(:)
    real(real32), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call sum_any(device, 'float', c_loc(x), size(x, kind=int64), c_loc(total), status)
  end subroutine sum_real32

  subroutine dot_real32(device, x, y, total, status)
    type(clreduce_device), intent(in) :: device
    real(real32), intent(in), contiguous, target :: x(:), y(:)
    real(real32), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call dot_any(device, 'float', c_loc(x), c_loc(y), [size(x, kind=int64), size(y, kind=int64)], c_loc(total), status)
  end subroutine dot_real32

  subroutine scan_real32(device, op, kind, x, out, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: op
    integer(c_int), intent(in) :: kind
    real(real32), intent(in), contiguous, target :: x(:)
    real(real32), intent(out), contiguous, target :: out(:)
    integer, intent(out), optional :: status
    call scan_any(device, op, kind, 'float', c_loc(x), [size(x, kind=int64), size(out, kind=int64)], c_loc(out), &
                  status)
  end subroutine scan_real32

  subroutine sum_real64(device, x, total, status)
    type(clreduce_device), intent(in) :: device
    real(real64), intent(in), contiguous, target :: x(:)
    real(real64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call sum_any(device, 'double', c_loc(x), size(x, kind=int64), c_loc(total), status)
  end subroutine sum_real64

  subroutine dot_real64(device, x, y, total, status)
    type(clreduce_device), intent(in) :: device
    real(real64), intent(in), contiguous, target :: x(:), y(:)
    real(real64), intent(out), target :: total
    integer, intent(out), optional :: status
    total = 0
    call dot_any(device, 'double', c_loc(x), c_loc(y), [size(x, kind=int64), size(y, kind=int64)], c_loc(total), status)
  end subroutine dot_real64

  subroutine scan_real64(device, op, kind, x, out, status)
    type(clreduce_device), intent(in) :: device
    character(*), intent(in) :: op
    integer(c_int), intent(in) :: kind
    real(real64), intent(in), contiguous, target :: x(:)
    real(real64), intent(out), contiguous, target :: out(:)
    integer, intent(out), optional :: status
    call scan_any(device, op, kind, 'double', c_loc(x), [size(x, kind=int64), size(out, kind=int64)], c_loc(out), &
                  status)
  end subroutine scan_real64

end module clreduce
