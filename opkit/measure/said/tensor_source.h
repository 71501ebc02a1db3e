// The tensors of a call: read from files or generated.
#ifndef OPKIT_MEASURE_SAID_TENSOR_SOURCE_H_
#define OPKIT_MEASURE_SAID_TENSOR_SOURCE_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "opkit/call/plan/stored_call.h"
#include "opkit/measure/said/said_call.h"

namespace opkit::measure {

// A tensor that no file gave, and what its values must respect.
struct Blank {
  Tensor& tensor;
  size_t port = 0;                                      // place of the input
  size_t instance = 0;                                  // numbers the tensor of a dynamic input
  std::optional<std::pair<double, double>> range = {};  // the contract's
  Elements elements = Elements::kAny;                   // the contract's
};
using Filler = std::function<void(const Blank&)>;

// OPK-CLI-012 for a dim that is not known.
Status check_known(const TensorFacts& facts);
// Returns the tensors of one input: its file's, or zero. OPK-CLI-012: over 8 GiB.
Result<PortTensors> values_of(const Port& port, const PortFacts& facts, const SaidCall& options);

// Every input of the call. What has a shape and no file gets its values by `fill` when it has
// memory; but for inputs that the host reads, which have them.
struct CallTensors {
  std::vector<PortTensors> inputs;
  // Gives values as Invocation's `fill` does.
  std::function<void(size_t port, size_t tensor, Tensor& blank)> fill;
};
// Unknown dims, tensors over 8 GiB and values that cannot be are OPK-CLI-012; OPK-TENSOR-001.
Result<CallTensors> tensors_of(const OpContract& contract, SaidCall options, const Filler& filler);

// Gives values in the contract's range, or [-2, 2), that depend on the seed, the input's place and
// the element alone.
Filler uniform(uint64_t seed);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_SAID_TENSOR_SOURCE_H_
