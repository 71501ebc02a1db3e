// Tensors from and to NumPy arrays. A dtype that NumPy lacks travels as an array of its bits:
// bfloat16 as uint16.
#ifndef OPKIT_PYTHON_ENGINE_ARRAYS_H_
#define OPKIT_PYTHON_ENGINE_ARRAYS_H_

#include <pybind11/numpy.h>

#include <string>

#include "opkit/base/tensor.h"

namespace opkit::python {

namespace py = pybind11;

// An array, dense, and the dtype that its elements are.
using Given = std::pair<std::string, py::array>;

// Returns a copy. Errors (OPK-PYTHON-001): no such dtype, elements of another size.
Result<Tensor> tensor_of(const Given& given, const std::string& name);
// Returns a copy. REQUIRES: a dtype with whole bytes.
Given array_of(const Tensor& tensor);

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_ENGINE_ARRAYS_H_
