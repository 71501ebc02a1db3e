// Errors as exceptions of Python: opkit.errors.OpkitError with the error's parts.
#ifndef OPKIT_PYTHON_ENGINE_RAISE_H_
#define OPKIT_PYTHON_ENGINE_RAISE_H_

#include <pybind11/pybind11.h>

#include "opkit/base/status.h"

namespace opkit::python {

[[noreturn]] void raise(const Error& error);

// Returns the value, or the exception.
template <typename T>
T value_of(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return std::move(result).value();
}

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_ENGINE_RAISE_H_
