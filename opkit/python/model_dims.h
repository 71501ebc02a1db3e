// aclmdlIODims as pyACL shows it: {"name": str, "dimCount": int, "dims": [int]}.
#ifndef OPKIT_PYTHON_MODEL_DIMS_H_
#define OPKIT_PYTHON_MODEL_DIMS_H_

#include "opkit/python/bound.h"

namespace opkit::python {

inline py::dict shown(const aclmdlIODims& dims) {
  py::list numbers;
  for (size_t i = 0; i < dims.dimCount; ++i) numbers.append(dims.dims[i]);
  py::dict all;
  all["name"] = std::string(dims.name);
  all["dimCount"] = dims.dimCount;
  all["dims"] = numbers;
  return all;
}

}  // namespace opkit::python

#endif  // OPKIT_PYTHON_MODEL_DIMS_H_
