// Functions of the C API as functions of Python: handles, pointers and enumerators are ints, a
// result through a pointer is the first of a tuple, the code stands behind it. Nothing holds
// Python's lock while the runtime works. (Vendor's pages "pyACL API", for example "Function:
// malloc".)
#ifndef OPKIT_PYTHON_BOUND_H_
#define OPKIT_PYTHON_BOUND_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "acl/acl.h"

namespace opkit::python {

namespace py = pybind11;

using Address = uintptr_t;
using Unlocked = py::call_guard<py::gil_scoped_release>;

template <typename T>
T* at(Address address) {
  return reinterpret_cast<T*>(address);
}
inline Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

// How Python sees a C type.
template <typename T>
struct Seen {
  static constexpr bool kText = std::is_same_v<T, const char*>;
  using Number = std::conditional_t<std::is_enum_v<T>, int, T>;
  using type = std::conditional_t<std::is_pointer_v<T> && !kText, Address, Number>;
  static T from(type value) {
    if constexpr (std::is_pointer_v<T> && !kText)
      return reinterpret_cast<T>(value);
    else
      return static_cast<T>(value);
  }
  static type to(T value) {
    if constexpr (std::is_pointer_v<T> && !kText)
      return address_of(value);
    else
      return static_cast<type>(value);
  }
};

// f(a, b) as it is.
template <typename R, typename... A>
void plain(py::module_& module, const char* name, R (*function)(A...)) {
  const auto call = [function](typename Seen<A>::type... given) {
    if constexpr (std::is_void_v<R>)
      function(Seen<A>::from(given)...);
    else
      return Seen<R>::to(function(Seen<A>::from(given)...));
  };
  module.def(name, call, Unlocked());
}

// value, ret = f(a, b) of f(&value, a, b).
template <typename T, typename... A>
void gives_first(py::module_& module, const char* name, aclError (*function)(T*, A...)) {
  const auto call = [function](typename Seen<A>::type... given) {
    T value{};
    const aclError code = function(&value, Seen<A>::from(given)...);
    return std::make_tuple(Seen<T>::to(value), code);
  };
  module.def(name, call, Unlocked());
}

// value, ret = f(a) of f(a, &value), and of f(a, b, &value).
template <typename A, typename T>
void gives_last(py::module_& module, const char* name, aclError (*function)(A, T*)) {
  const auto call = [function](typename Seen<A>::type given) {
    T value{};
    const aclError code = function(Seen<A>::from(given), &value);
    return std::make_tuple(Seen<T>::to(value), code);
  };
  module.def(name, call, Unlocked());
}
template <typename A, typename B, typename T>
void gives_last(py::module_& module, const char* name, aclError (*function)(A, B, T*)) {
  const auto call = [function](typename Seen<A>::type a, typename Seen<B>::type b) {
    T value{};
    const aclError code = function(Seen<A>::from(a), Seen<B>::from(b), &value);
    return std::make_tuple(Seen<T>::to(value), code);
  };
  module.def(name, call, Unlocked());
}

// The parts of the module.
void add_base(py::module_& acl);
void add_descriptions(py::module_& acl);
void add_runtime(py::module_& rt);
void add_memory(py::module_& rt);
void add_callbacks(py::module_& rt);
void add_models(py::module_& mdl);
void add_model_questions(py::module_& mdl);
void add_gears(py::module_& mdl);
void add_aipp(py::module_& mdl);
void add_ops(py::module_& op);
void add_pointers(py::module_& util);
void add_threads(py::module_& util);

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_BOUND_H_
