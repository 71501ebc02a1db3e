#include "opkit/verify/problem_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/scope.h"
#include "opkit/infer/infer.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/data/generate.h"

namespace opkit::verify {
namespace {

constexpr int64_t kCountless = int64_t{1} << 60;  // elements

bool uses(const OpContract& contract, size_t column, DType dtype) {
  const auto has = [&](const Port& port) { return port.dtypes[column] == dtype; };
  return std::any_of(contract.inputs.begin(), contract.inputs.end(), has) ||
         std::any_of(contract.outputs.begin(), contract.outputs.end(), has);
}

bool any_stored(const OpContract& contract, size_t column) {
  const auto stored = [&](const Port& port) { return !is_dense(port.formats[column]); };
  return std::any_of(contract.inputs.begin(), contract.inputs.end(), stored) ||
         std::any_of(contract.outputs.begin(), contract.outputs.end(), stored);
}

// Storage elements of one side's tensors, or the first error of a layout. Shapes that only the
// author's InferShape knows do not count.
Result<int64_t> count_stored(const std::vector<Port>& ports,
                             const std::vector<std::vector<Shape>>& shapes, size_t column) {
  int64_t elements = 0;
  for (size_t p = 0; p < ports.size(); ++p) {
    for (const Shape& shape : shapes[p]) {
      if (!shape.has_rank() || !shape.is_static()) continue;
      auto layout = StorageLayout::of(ports[p].formats[column], ports[p].dtypes[column], shape);
      if (!layout.ok()) return std::move(layout).error().with(ports[p].name);
      OPKIT_TRY(const int64_t more, layout->storage().checked_elements());
      elements = std::min(elements + std::min(more, kCountless), kCountless);
    }
  }
  return elements;
}

Result<int64_t> count_stored(const OpContract& contract, const Problem& problem) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  OPKIT_TRY(const int64_t in, count_stored(contract.inputs, shapes.inputs, problem.column));
  OPKIT_TRY(const int64_t out, count_stored(contract.outputs, shapes.outputs, problem.column));
  return std::min(in + out, kCountless);
}

Result<Ports> make_ports(const OpContract& contract, const Problem& problem, bool reserved) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  const Scope scope = scope_of(contract, problem.symbols, problem.attrs);
  Ports inputs;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    const Port& port = contract.inputs[p];
    OPKIT_TRY(const auto range, value_range(port, scope));
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < shapes.inputs[p].size(); ++i) {
      if (reserved && !port.value_depend) {
        OPKIT_TRY(Tensor tensor,
                  Tensor::reserved(port.dtypes[problem.column], shapes.inputs[p][i], port.name));
        tensor.desc().format = port.formats[problem.column];
        tensors.push_back(std::move(tensor));
        continue;
      }
      OPKIT_TRY(const int64_t elements, shapes.inputs[p][i].checked_elements());
      if (elements > int64_t{1} << 28)
        return Error("OPK-VERIFY-011",
                     fmt::format("{} would have {} elements", port.name, elements),
                     "choose a smaller shape");
      Tensor tensor(port.dtypes[problem.column], shapes.inputs[p][i], port.name);
      tensor.desc().format = port.formats[problem.column];
      const FillRequest request{problem.data, problem.seed, p, i, range, port.elements};
      if (const auto reason = cannot_fill(tensor.dtype(), tensor.shape(), request))
        return Error("OPK-VERIFY-013", fmt::format("{}: {}", port.name, *reason),
                     "choose a shorter row or a wider range of values");
      fill(tensor, request);
      tensors.push_back(std::move(tensor));
    }
    inputs.push_back(std::move(tensors));
  }
  return inputs;
}

}  // namespace

Result<Ports> make_inputs(const OpContract& contract, const Problem& problem) {
  return make_ports(contract, problem, false);
}

Result<Ports> make_reserved_inputs(const OpContract& contract, const Problem& problem) {
  return make_ports(contract, problem, true);
}

std::string not_on_chip(const OpContract& contract, const Problem& problem) {
  const auto soc = find_soc(problem.soc);
  if (!soc.ok()) return soc.error().message;
  if (uses(contract, problem.column, DType::kBFloat16) && !soc->spec->has_bfloat16())
    return problem.soc + " has no bfloat16";
  if (!any_stored(contract, problem.column)) return {};
  const auto stored = count_stored(contract, problem);
  if (stored.ok() || stored.error().code.rfind("OPK-LAYOUT", 0) != 0) return {};
  return fmt::format("{}: {}", stored.error().trail.front(), stored.error().message);
}

std::optional<int64_t> stored_elements(const OpContract& contract, const Problem& problem) {
  const auto stored = count_stored(contract, problem);
  return stored.ok() ? std::optional<int64_t>(*stored) : std::nullopt;
}

}  // namespace opkit::verify
