#include "opkit/call/plan/said_outputs.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit {
namespace {

bool allows(const Shape& inferred, const Shape& said) {
  if (!inferred.has_rank()) return true;
  if (inferred.rank() != said.rank()) return false;
  for (size_t i = 0; i < said.rank(); ++i) {
    if (inferred[i] != kUnknownDim && inferred[i] != said[i]) return false;
  }
  return true;
}

// A contract that is made from an OpDef knows neither the shapes of a dynamic output nor how many
// tensors it is, and says 1: then the caller knows.
void take_count(const Port& port, const std::vector<Shape>& said, PortFacts& tensors) {
  const bool open = port.presence == Presence::kDynamic && port.shape.opaque && port.count &&
                    port.count->is_constant();
  if (!open || tensors.size() != 1 || said.size() <= 1) return;
  tensors.resize(said.size(), tensors.front());
  for (size_t i = 0; i < tensors.size(); ++i)
    tensors[i].desc.name = fmt::format("{}{}", port.name, i);
}

Status apply(const OpContract& contract, const Port& port, const std::vector<Shape>& said,
             PortFacts& tensors) {
  const auto refuse = [&](std::string what) {
    return contract.error(
        "OPK-RUN-006", std::move(what),
        fmt::format(
            "say a shape of {} that the contract allows; a contract that the build has made "
            "can be corrected: copy it to the project as op_contract.yaml",
            port.name));
  };
  take_count(port, said, tensors);
  if (said.size() != tensors.size()) {
    return refuse(fmt::format("output '{}' is {} tensors, {} shapes are said of it", port.name,
                              tensors.size(), said.size()));
  }
  for (size_t i = 0; i < said.size(); ++i) {
    TensorDesc& desc = tensors[i].desc;
    if (!is_known(said[i]) || !allows(desc.shape, said[i])) {
      return refuse(fmt::format("output '{}' is said to be {}, inference gives {}", port.name,
                                said[i].to_string(), desc.shape.to_string()));
    }
    desc.shape = said[i];
    tensors[i].ranges.clear();
  }
  return {};
}

}  // namespace

bool is_known(const Shape& shape) { return shape.has_rank() && shape.is_static(); }

Result<bool> apply_said(const OpContract& contract, const SaidOutputs& said,
                        std::vector<PortFacts>& outputs) {
  bool any = false;
  for (size_t o = 0; o < std::min(said.size(), outputs.size()); ++o) {
    if (said[o].empty()) continue;
    OPKIT_CHECK(apply(contract, contract.outputs[o], said[o], outputs[o]));
    any = true;
  }
  return any && std::all_of(outputs.begin(), outputs.end(), [](const PortFacts& port) {
           return std::all_of(port.begin(), port.end(), [](const TensorFacts& tensor) {
             return is_known(tensor.desc.shape);
           });
         });
}

}  // namespace opkit
