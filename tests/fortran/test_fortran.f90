! The Fortran module: sums, dot products, scans, an operator of the caller, errors. Expected values are by hand.
program test_fortran
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use clreduce
  implicit none

  type(clreduce_device) :: device
  integer :: failures = 0, i, status
  real(real32) :: numbers(1000), total
  real(real64) :: wide
  integer(int32) :: whole(5) = [3, -1, 4, 1, -5]
  integer(int64) :: sum_of_whole, running(5)

  call clreduce_open(device)
  numbers = [(real(i, real32), i=1, 1000)]

  call clreduce_sum(device, numbers, total)
  call check(total == 500500, 'sum of real32')
  call clreduce_sum(device, numbers(1:1000:2), total)
  call check(total == 250000, 'sum of every second element')
  call clreduce_sum(device, whole, sum_of_whole)
  call check(sum_of_whole == 2, 'sum of int32')
  call clreduce_dot(device, [1.5_real64, 2.0_real64], [2.0_real64, -1.0_real64], wide)
  call check(wide == 1, 'dot of real64')
  call clreduce_scan(device, 'sum', clreduce_inclusive, whole, running)
  call check(all(running == [3, 2, 6, 7, 2]), 'inclusive scan')

  call clreduce_dot(device, numbers, numbers(2:), total, status)
  call check(status == -4001, 'dot of different lengths')
  call clreduce_scan(device, 'sum', clreduce_inclusive, whole, running(2:), status)
  call check(status == -4007, 'no room for the results of a scan')
  call clreduce_scan(device, 'nonsense', clreduce_inclusive, whole, running, status)
  call check(status /= 0 .and. len(clreduce_error(device)) > 0, 'an operator that does not exist')

  call user_operator()
  call clreduce_close(device)
  if (failures > 0) error stop 1

contains

  ! The difference of the largest and the smallest element.
  subroutine user_operator()
    type(clreduce_operator) :: widest
    type(clreduce_plan) :: plan
    real(real32), target :: heights(4) = [2.5, -1.0, 7.0, 3.0]
    real(real32), target :: width
    widest%name = 'width'
    widest%element = 'float'
    widest%preamble = 'typedef struct { float low; float high; } range;'
    widest%state = 'range'
    widest%result = 'float'
    widest%identity = '{INFINITY, -INFINITY}'
    widest%lift = '{ range made = {x, x}; return made; }'
    widest%combine = '{ a.low = fmin(a.low, b.low); a.high = fmax(a.high, b.high); return a; }'
    widest%lower = 's.high - s.low'
    widest%commutative = .true.
    call clreduce_plan_operator(device, widest, plan)
    call clreduce_run(device, plan, c_loc(heights), 4_int64, c_loc(width))
    call check(width == 8, 'an operator of the caller')
    call clreduce_release(plan)
    widest%combine = 'a +'
    call clreduce_plan_operator(device, widest, plan, status)
    call check(status == -4013 .and. index(clreduce_error(device), 'combine') > 0, 'a wrong text')
    call clreduce_release(plan)
  end subroutine user_operator

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(a)', what
    failures = failures + 1
  end subroutine check
end program test_fortran
