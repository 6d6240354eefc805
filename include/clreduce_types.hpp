// clreduce_types.hpp: the errors of clreduce.hpp, and the element types of C++. clreduce.hpp includes this file.

#ifndef CLREDUCE_TYPES_HPP
#define CLREDUCE_TYPES_HPP

#include <complex>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "clreduce.h"

namespace clreduce {

// ---------------------------------------------------------------- Errors

class error : public std::runtime_error {
public:
  error(cl_int status, const std::string &message)
      : std::runtime_error(std::string(clred_status_name(status)) + ": " + message), code(status) {
  }
  cl_int status() const noexcept {
    return code;
  }

private:
  cl_int code;
};

// Sets *status, or throws if there is an error and no `status`. Returns true for CL_SUCCESS.
template <class Message> bool settle(cl_int err, cl_int *status, Message message) {
  if (status)
    *status = err;
  else if (err) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw error(err, message());
#else
    static_cast<void>(message);
    std::abort();
#endif
  }
  return err == CL_SUCCESS;
}

// ---------------------------------------------------------------- Types

template <class T> struct type_of_complex { static constexpr clred_type value = CLRED_TYPE_NONE; };
template <> struct type_of_complex<std::complex<float>> { static constexpr clred_type value = CLRED_TYPE_CFLOAT; };
template <> struct type_of_complex<std::complex<double>> { static constexpr clred_type value = CLRED_TYPE_CDOUBLE; };

// The element type of T: integers of 8 to 64 bits, float, double, and std::complex of float or double. half, bfloat16
// and vectors have no type in C++: set problem.type.
template <class T> constexpr clred_type type_of() {
  if constexpr (std::is_same_v<T, float>)
    return CLRED_TYPE_FLOAT;
  else if constexpr (std::is_same_v<T, double>)
    return CLRED_TYPE_DOUBLE;
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr clred_type base = sizeof(T) == 1   ? CLRED_TYPE_CHAR
                                : sizeof(T) == 2 ? CLRED_TYPE_SHORT
                                : sizeof(T) == 4 ? CLRED_TYPE_INT
                                                 : CLRED_TYPE_LONG;
    return static_cast<clred_type>(base + (std::is_signed_v<T> ? 0 : 1));
  } else {
    static_assert(type_of_complex<T>::value != CLRED_TYPE_NONE, "clreduce has no element type for this C++ type");
    return type_of_complex<T>::value;
  }
}

// The type of sums, extremes and products of T: 64 bits for integers, T itself otherwise.
template <class T>
using result_of =
  std::conditional_t<std::is_integral_v<T>, std::conditional_t<std::is_signed_v<T>, cl_long, cl_ulong>, T>;

template <class Range>
using element_of = std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<Range &>()))>>;

// The problem of a built-in operator over elements of T; change further fields as you need.
template <class T> clred_problem problem(clred_op op, clred_scan scan = CLRED_SCAN_NONE) {
  clred_problem made = clred_problem();
  made.type = type_of<T>();
  made.op = op;
  made.scan = scan;
  return made;
}

// The handle of OpenCL in an object of CLHPP, or the handle itself.
template <class T> auto raw(const T &object) {
  if constexpr (std::is_pointer_v<T>)
    return object;
  else
    return object();
}

}  // namespace clreduce

#endif
