#include "opkit/verify/problem_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/infer/infer.h"
#include "opkit/contract/scope.h"
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

constexpr int64_t kMostInMemory = int64_t{1} << 28;  // elements

// How an input is filled, or why it cannot be.
Result<FillRequest> request_of(const OpContract& contract, const Problem& problem, size_t port,
                               size_t tensor, const Shape& shape, const Scope& scope) {
  const Port& of = contract.inputs[port];
  OPKIT_TRY(const auto range, value_range(of, scope));
  const FillRequest request{problem.data, problem.seed, port, tensor, range, of.elements};
  if (const auto reason = cannot_fill(of.dtypes[problem.column], shape, request))
    return Error("OPK-VERIFY-013", fmt::format("{}: {}", of.name, *reason),
                 "choose a shorter row or a wider range of values");
  return request;
}

Result<Tensor> make_input(const OpContract& contract, const Problem& problem, size_t port,
                          size_t tensor, const Shape& shape, const Scope& scope) {
  const Port& of = contract.inputs[port];
  OPKIT_TRY(const int64_t elements, shape.checked_elements());
  if (elements > kMostInMemory)
    return Error("OPK-VERIFY-011", fmt::format("{} would have {} elements", of.name, elements),
                 "choose a smaller shape");
  OPKIT_TRY(const FillRequest request, request_of(contract, problem, port, tensor, shape, scope));
  Tensor made(of.dtypes[problem.column], shape, of.name);
  made.desc().format = of.formats[problem.column];
  fill(made, request);
  return made;
}

Result<Tensor> make_blank(const OpContract& contract, const Problem& problem, size_t port,
                          const Shape& shape) {
  const Port& of = contract.inputs[port];
  OPKIT_TRY(Tensor blank, Tensor::reserved(of.dtypes[problem.column], shape, of.name));
  blank.desc().format = of.formats[problem.column];
  return blank;
}

}  // namespace

Result<Ports> make_inputs(const OpContract& contract, const Problem& problem) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  const Scope scope = scope_of(contract, problem.symbols, problem.attrs);
  Ports inputs(contract.inputs.size());
  for (size_t p = 0; p < inputs.size(); ++p) {
    for (size_t i = 0; i < shapes.inputs[p].size(); ++i) {
      OPKIT_TRY(Tensor tensor, make_input(contract, problem, p, i, shapes.inputs[p][i], scope));
      inputs[p].push_back(std::move(tensor));
    }
  }
  return inputs;
}

Result<BlankInputs> make_blanks(const OpContract& contract, const Problem& problem) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  const Scope scope = scope_of(contract, problem.symbols, problem.attrs);
  BlankInputs made;
  made.inputs.resize(contract.inputs.size());
  std::vector<std::vector<FillRequest>> requests(contract.inputs.size());
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    for (size_t i = 0; i < shapes.inputs[p].size(); ++i) {
      const Shape& shape = shapes.inputs[p][i];
      OPKIT_TRY(FillRequest request, request_of(contract, problem, p, i, shape, scope));
      requests[p].push_back(std::move(request));
      auto tensor = contract.inputs[p].value_depend
                        ? make_input(contract, problem, p, i, shape, scope)
                        : make_blank(contract, problem, p, shape);
      if (!tensor.ok()) return std::move(tensor).error();
      made.inputs[p].push_back(std::move(tensor).value());
    }
  }
  made.fill = [requests = std::move(requests)](size_t port, size_t tensor, Tensor& blank) {
    fill(blank, requests[port][tensor]);
  };
  return made;
}

Result<ProblemFacts> make_facts(const OpContract& contract, const Problem& problem) {
  OPKIT_TRY(const ConcreteShapes shapes,
            shapes_from_symbols(contract, problem.symbols, problem.attrs));
  const Scope scope = scope_of(contract, problem.symbols, problem.attrs);
  ProblemFacts made;
  made.values.resize(contract.inputs.size());
  made.facts.attrs = problem.attrs;
  for (size_t p = 0; p < contract.inputs.size(); ++p) {
    const Port& port = contract.inputs[p];
    std::vector<InputFacts>& inputs = made.facts.inputs.emplace_back();
    for (size_t i = 0; i < shapes.inputs[p].size(); ++i) {
      inputs.push_back({{port.name, port.dtypes[problem.column], shapes.inputs[p][i],
                         port.formats[problem.column]},
                        {}});
      if (!port.value_depend) continue;
      OPKIT_TRY(Tensor value, make_input(contract, problem, p, i, shapes.inputs[p][i], scope));
      made.values[p].push_back(std::move(value));
    }
    for (size_t i = 0; i < made.values[p].size(); ++i) inputs[i].value = made.values[p][i].bytes();
  }
  return made;
}

Status check_legal(const OpContract& contract, const Problem& problem) {
  OPKIT_CHECK(contract.complete(problem.attrs));
  OPKIT_CHECK(shapes_from_symbols(contract, problem.symbols, problem.attrs));
  return check_constraints(contract, scope_of(contract, problem.symbols, problem.attrs));
}

std::string not_on_chip(const OpContract& contract, const Problem& problem) {
  const auto soc = find_soc(problem.soc);
  if (!soc.ok()) return soc.error().message;
  if (uses(contract, problem.column, DType::kBFloat16) && !soc->spec->has_bfloat16())
    return problem.soc + " has no bfloat16";
  if (!any_stored(contract, problem.column)) return {};
  const auto stored = count_stored(contract, problem);
  if (stored.ok() || !stored.error().is(Cause::kLayout)) return {};
  return fmt::format("{}: {}", stored.error().trail.front(), stored.error().message);
}

std::optional<int64_t> stored_elements(const OpContract& contract, const Problem& problem) {
  const auto stored = count_stored(contract, problem);
  return stored.ok() ? std::optional<int64_t>(*stored) : std::nullopt;
}

}  // namespace opkit::verify
