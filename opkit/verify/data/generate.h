// Filling tensors with test data.
#ifndef OPKIT_VERIFY_DATA_GENERATE_H_
#define OPKIT_VERIFY_DATA_GENERATE_H_

#include <optional>
#include <utility>

#include "opkit/base/tensor.h"
#include "opkit/verify/data/data_class.h"

namespace opkit::verify {

struct FillRequest {
  DataClass data = DataClass::kUniform;
  uint64_t seed = 0;
  uint64_t port = 0;      // tensors of different ports differ; their parity alternates signs
  uint64_t instance = 0;  // of a dynamic port
  std::optional<std::pair<double, double>> range;  // the contract's 'values'; nothing lies outside
};

// Element i depends on the request and i alone.
void fill(Tensor& tensor, const FillRequest& request);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_DATA_GENERATE_H_
