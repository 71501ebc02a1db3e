#include "opkit/model/export/strides.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::model_export {

Strides dense_steps(const Strides& dims) {
  Strides steps(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;) steps[d - 1] = steps[d] * dims[d];
  return steps;
}

Strides broadcast_steps(const Shape& tensor, const Strides& dims) {
  const Strides own = dense_steps(tensor.dims());
  Strides steps(dims.size(), 0);
  const size_t ahead = dims.size() - tensor.rank();
  for (size_t d = 0; d < tensor.rank(); ++d) {
    if (tensor[d] != 1) steps[ahead + d] = own[d];
  }
  return steps;
}

WalkOver shortest(WalkOver walk) {
  WalkOver out;
  out.steps.resize(walk.steps.size());
  for (size_t d = 0; d < walk.dims.size(); ++d) {
    if (walk.dims[d] == 1) continue;
    // Goes on where the dim before ends: both are one.
    bool joins = !out.dims.empty();
    for (size_t t = 0; t < walk.steps.size() && joins; ++t)
      joins = out.steps[t].back() == walk.steps[t][d] * walk.dims[d];
    if (joins) {
      out.dims.back() *= walk.dims[d];
      for (size_t t = 0; t < walk.steps.size(); ++t) out.steps[t].back() = walk.steps[t][d];
      continue;
    }
    out.dims.push_back(walk.dims[d]);
    for (size_t t = 0; t < walk.steps.size(); ++t) out.steps[t].push_back(walk.steps[t][d]);
  }
  if (!out.dims.empty()) return out;
  out.dims.push_back(1);
  for (Strides& steps : out.steps) steps.push_back(1);
  return out;
}

std::string dims_code(const Strides& dims) {
  return fmt::format("Dims<{}>{{{{{}}}}}", dims.size(), fmt::join(dims, ", "));
}

}  // namespace opkit::model_export
