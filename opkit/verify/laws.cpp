#include "opkit/verify/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opkit/call/infer/binding.h"
#include "opkit/contract/lower.h"
#include "opkit/reference/operators.h"

namespace opkit::verify {
namespace {

// Says how far the nodes of a call's reference spread a value together; nothing when one of them
// mixes rows.
enum class Spread { kElements, kRows, kWhole };

bool is_last_axis(const graph::Node& node) {
  const auto axis = node.attributes.find("axis");
  if (axis == node.attributes.end()) return true;
  const auto* value = std::get_if<int64_t>(&axis->second);
  return value != nullptr && *value == -1;
}

Spread spread_of(const graph::Graph& graph) {
  // Lists as operands would broadcast along an axis.
  for (const auto& [name, value] : graph.values) {
    if (value.constant != nullptr && value.shape->rank() > 0) return Spread::kWhole;
  }
  Spread spread = Spread::kElements;
  for (const graph::Node& node : graph.nodes) {
    const reference::Reach reach = reference::find_operator(node.op_type)->reach;
    if (reach == reference::Reach::kElement) continue;
    if (reach == reference::Reach::kWhole || !is_last_axis(node)) return Spread::kWhole;
    spread = Spread::kRows;
  }
  return spread;
}

// Returns nothing when the call does not fit the contract.
std::optional<LoweredReference> lowered(const OpContract& contract, const AttrValues& attrs,
                                        const Execution& execution) {
  std::vector<PortFacts> facts;
  ReferenceCall call{{}, attrs, {}, execution.column};
  for (const auto& port : execution.inputs) {
    facts.emplace_back();
    call.inputs.emplace_back();
    for (const Tensor& tensor : port) {
      facts.back().push_back({tensor.desc(), {}, {}});
      call.inputs.back().push_back({tensor.dtype(), tensor.shape(), Format::kND, nullptr});
    }
  }
  auto binding = bind_facts(contract, facts, attrs);
  if (!binding.ok()) return std::nullopt;
  call.scope = std::move(binding->scope);
  auto done = lower_reference(contract, call);
  if (!done.ok()) return std::nullopt;
  return std::move(done).value();
}

bool one_tensor_each(const Ports& ports) {
  return std::all_of(ports.begin(), ports.end(), [](const auto& port) { return port.size() <= 1; });
}

const Shape* common_shape(const Execution& execution) {
  const Shape* shape = nullptr;
  for (const Ports* side : {&execution.inputs, &execution.outputs}) {
    for (const auto& port : *side) {
      for (const Tensor& tensor : port) {
        if (bits_of(tensor.dtype()) < 8) return nullptr;
        if (shape != nullptr && tensor.shape() != *shape) return nullptr;
        shape = &tensor.shape();
      }
    }
  }
  return shape;
}

// Place i of the changed call is place at(i) of the first one.
struct Order {
  int64_t units;
  int64_t at(int64_t i) const { return (2 * units - 1 - i - units / 3) % units; }
};

Tensor reordered(const Tensor& tensor, const Order& order) {
  Tensor out = tensor;
  const size_t bytes = tensor.size_bytes() / static_cast<size_t>(order.units);
  for (int64_t i = 0; i < order.units; ++i)
    std::memcpy(out.data() + static_cast<size_t>(i) * bytes,
                tensor.data() + static_cast<size_t>(order.at(i)) * bytes, bytes);
  return out;
}

// -1: none. A NaN equals every NaN: which one comes out is not promised.
int64_t differing_element(const Tensor& a, const Tensor& b) {
  const size_t bytes = a.size_bytes() / static_cast<size_t>(std::max<int64_t>(a.elements(), 1));
  for (int64_t i = 0; i < a.elements(); ++i) {
    const size_t at = static_cast<size_t>(i) * bytes;
    if (std::memcmp(a.data() + at, b.data() + at, bytes) == 0) continue;
    if (!(std::isnan(a.at(i)) && std::isnan(b.at(i)))) return i;
  }
  return -1;
}

}  // namespace

Law law_of(const OpContract& contract, const AttrValues& attrs, const Execution& execution) {
  const Shape* shape = common_shape(execution);
  if (shape == nullptr || shape->elements() < 2 || contract.reference.empty()) return Law::kNone;
  if (!one_tensor_each(execution.inputs) || !one_tensor_each(execution.outputs)) return Law::kNone;
  for (const Port& port : contract.inputs) {
    if (port.value_depend) return Law::kNone;
  }
  const auto reference = lowered(contract, attrs, execution);
  const Spread spread = reference ? spread_of(reference->graph) : Spread::kWhole;
  if (spread == Spread::kElements) return Law::kElements;
  const bool fixed = contract.numeric.order == NumericPolicy::Order::kFixed;
  const int64_t length = shape->rank() == 0 ? 0 : (*shape)[shape->rank() - 1];
  const bool rows = spread == Spread::kRows && fixed && length > 0;
  return rows && shape->elements() / length >= 2 ? Law::kRows : Law::kNone;
}

std::optional<Error> break_law(Executor& executor, const Invocation& call, const Execution& first) {
  const Law law = law_of(*call.contract, call.attrs, first);
  if (law == Law::kNone) return std::nullopt;
  const Shape shape = *common_shape(first);
  const int64_t length = law == Law::kRows ? shape[shape.rank() - 1] : 1;
  const Order order{shape.elements() / length};
  Invocation changed = call;
  for (auto& port : changed.inputs) {
    for (Tensor& tensor : port) tensor = reordered(tensor, order);
  }
  const auto second = executor.run(std::move(changed));
  const char* units = law == Law::kRows ? "row" : "element";
  if (!second.ok()) {
    Error error = second.error();
    error.message =
        fmt::format("with its {}s in another order the call failed: {}", units, error.message);
    return error;
  }
  for (size_t p = 0; p < first.outputs.size(); ++p) {
    if (first.outputs[p].empty()) continue;
    const Tensor expected = reordered(first.outputs[p][0], order);
    const Tensor& got = second->outputs[p][0];
    const int64_t at = differing_element(expected, got);
    if (at < 0) continue;
    const int64_t unit = at / length;
    return Error("OPK-VERIFY-027",
                 fmt::format("the {0}s of {1} depend on where they lie: {0} {2} of the call, moved "
                             "to place {3}, gives {4:.9g} in place of {5:.9g}",
                             units, call.contract->outputs[p].name, order.at(unit), unit,
                             got.at(at), expected.at(at)),
                 "compute every part of the tensor, its tail too, in the same way");
  }
  return std::nullopt;
}

}  // namespace opkit::verify
