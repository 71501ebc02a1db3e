#include "opkit/python/engine/raise.h"

#include <pybind11/stl.h>

namespace opkit::python {

namespace py = pybind11;

void raise(const Error& error) {
  const py::object type = py::module_::import("opkit.errors").attr("OpkitError");
  const py::object made =
      type(error.code, error.message, py::arg("action") = error.action,
           py::arg("place") = error.where.to_string(), py::arg("op") = error.op,
           py::arg("constraint") = error.constraint, py::arg("trail") = error.trail);
  PyErr_SetObject(type.ptr(), made.ptr());
  throw py::error_already_set();
}

}  // namespace opkit::python
