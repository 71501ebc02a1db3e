// Filling tensors with test data.
#ifndef OPKIT_VERIFY_DATA_GENERATE_H_
#define OPKIT_VERIFY_DATA_GENERATE_H_

#include <optional>
#include <string>
#include <utility>

#include "opkit/base/tensor.h"
#include "opkit/contract/elements.h"
#include "opkit/verify/data/data_class.h"

namespace opkit::verify {

struct FillRequest {
  DataClass data = DataClass::kUniform;
  uint64_t seed = 0;
  uint64_t port = 0;      // tensors of different ports differ; their parity alternates signs
  uint64_t instance = 0;  // numbers the tensor of a dynamic port
  std::optional<std::pair<double, double>> range;  // the contract's 'values'; nothing lies outside
  Elements elements = Elements::kAny;              // along the last axis
};

// Element i depends on the request and i alone; elements that depend on each other on their row,
// too. Large tensors are filled by several threads.
void fill(Tensor& tensor, const FillRequest& request);

// Why there are no such elements, one sentence: more distinct ones than the range or the type has.
std::optional<std::string> cannot_fill(DType dtype, const Shape& shape, const FillRequest& request);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_DATA_GENERATE_H_
