#include "opkit/cli/commands/run_stages.h"

#include <utility>

namespace opkit::cli {

// Inputs are filled before all else that a run does.
void RunStages::watch(Invocation& call) {
  for (const PortTensors& port : call.inputs) {
    for (const Tensor& tensor : port) {
      large_ = large_ || tensor.size_bytes() >= kLarge;
      blanks_ += tensor.is_reserved() ? 1 : 0;
    }
  }
  if (blanks_ == 0) return begin("running");
  call.fill = [this, fill = std::move(call.fill)](size_t port, size_t at, Tensor& tensor) {
    begin("making " + tensor.desc().to_string());
    fill(port, at, tensor);
    if (--blanks_ == 0) begin("running");
  };
}

}  // namespace opkit::cli
