// How generated loops walk tensors.
#ifndef OPKIT_MODEL_EXPORT_STRIDES_H_
#define OPKIT_MODEL_EXPORT_STRIDES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/base/shape.h"

namespace opkit::model_export {

using Strides = std::vector<int64_t>;

// Returns the steps in elements along each dim of a dense tensor.
Strides dense_steps(const Strides& dims);
// Returns the steps with which a tensor is read as one of larger dims; 0 along what is repeated.
// REQUIRES: it broadcasts to them.
Strides broadcast_steps(const Shape& tensor, const Strides& dims);

// A walk over dims, with the steps of each tensor; `steps[i]` has as many entries as `dims`.
struct WalkOver {
  Strides dims;
  std::vector<Strides> steps;
};
// Returns the walk with as few dims as it needs, at least one.
WalkOver shortest(WalkOver walk);

// "Dims<2>{{4, 5}}"
std::string dims_code(const Strides& dims);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_STRIDES_H_
