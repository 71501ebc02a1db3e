#include "opkit/call/infer/infer.h"

#include <fmt/format.h>

#include "opkit/base/json.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

constexpr int64_t kMaxDim = int64_t{1} << 62;
constexpr size_t kMaxTensors = 1024;

Status append_dim(const OpContract& contract, const Port& port, const Expr& item, Range dim,
                  TensorFacts& facts) {
  if (dim.hi < 0 || dim.lo > kMaxDim) {
    const bool negative = dim.hi < 0;
    return Error("OPK-INFER-012",
                 fmt::format("dim {} of output {} ({}) would be {}{}", facts.desc.shape.rank(),
                             port.name, item.to_string(), dim.to_string(),
                             negative ? "" : "; no dim is larger than 2^62"),
                 negative ? "give inputs for which the output's dims are at least 0"
                          : "choose smaller dims")
        .at(item.where())
        .of(contract.op);
  }
  const Range proper = dim.meet(Range::any_dim());
  facts.desc.shape.dims().push_back(proper.is_known() ? proper.lo : kUnknownDim);
  facts.ranges.push_back(proper);
  return {};
}

// The shape of one tensor. facts.desc.shape is empty at first.
Status append_shape(const OpContract& contract, const Port& port, const Scope& scope,
                    TensorFacts& facts) {
  for (const Expr& item : port.shape.items) {
    if (item.type() != Expr::Type::kList) {
      auto dim = item.evaluate(scope);
      if (!dim.ok()) return std::move(dim).error().of(contract.op).with("output " + port.name);
      OPKIT_CHECK(append_dim(contract, port, item, *dim, facts));
      continue;
    }
    auto dims = item.evaluate_list(scope);
    if (!dims.ok()) return std::move(dims).error().of(contract.op).with("output " + port.name);
    if (!dims->known_length) {
      facts.desc.shape = Shape::unknown_rank();
      facts.ranges.clear();
      return {};
    }
    for (const Range& dim : dims->items) OPKIT_CHECK(append_dim(contract, port, item, dim, facts));
  }
  return {};
}

Result<size_t> output_count(const OpContract& contract, const Port& port, const Scope& scope) {
  if (!port.count) return size_t{1};
  auto count = port.count->evaluate(scope);
  if (!count.ok()) return std::move(count).error().of(contract.op).with(port.name + ".count");
  if (!count->is_known() || count->lo < 0 || count->lo > int64_t{kMaxTensors}) {
    return contract
        .error("OPK-INFER-013",
               fmt::format("output {} would have {} tensors", port.name, count->to_string()),
               fmt::format("make {} known and at most {}", port.count->to_string(), kMaxTensors))
        .at(port.where);
  }
  return static_cast<size_t>(count->lo);
}

Result<PortFacts> infer_port(const OpContract& contract, const Port& port, size_t column,
                             const Scope& scope) {
  OPKIT_TRY(const size_t count, output_count(contract, port, scope));
  PortFacts tensors;
  Scope local = scope;
  for (size_t i = 0; i < count; ++i) {
    local.instance = static_cast<int>(i);
    TensorFacts facts;
    const std::string name = port.count ? fmt::format("{}{}", port.name, i) : port.name;
    facts.desc = {name, port.dtypes[column], Shape{}, port.formats[column]};
    if (port.shape.opaque) {
      facts.desc.shape = Shape::unknown_rank();
    } else {
      OPKIT_CHECK(append_shape(contract, port, local, facts));
    }
    tensors.push_back(std::move(facts));
  }
  return tensors;
}

std::string fmt_key(const Port& port, size_t axis) { return fmt::format("{}:{}", port.name, axis); }

// Returns the shapes of one input port for known symbols.
Result<std::vector<Shape>> input_shapes(const OpContract& contract, const Port& port,
                                        const SymbolValues& values, const Scope& scope) {
  const Range count = scope.counts.at(port.name);
  if (!count.is_known() || count.hi > int64_t{kMaxTensors}) {
    return contract.error("OPK-INFER-014",
                          fmt::format("the number of tensors of {} is not given", port.name),
                          fmt::format("add count: {{{}: 2}}", port.name));
  }
  if (port.shape.opaque && count.hi > 0) {
    return contract.error("OPK-INFER-016",
                          fmt::format("{} is opaque: symbols do not tell its shapes", port.name),
                          "run the op on tensors, or write the shape with symbols");
  }
  std::vector<Shape> shapes;
  Scope local = scope;
  for (int64_t i = 0; i < count.lo; ++i) {
    local.instance = static_cast<int>(i);
    Shape shape;
    for (const Expr& item : port.shape.items) {
      if (item.type() == Expr::Type::kList) {
        OPKIT_TRY(const ListValue list, item.evaluate_list(local));
        for (const Range& dim : list.items) shape.dims().push_back(dim.lo);
        continue;
      }
      const bool collapsed =
          item.is_collapsible() && values.collapsed.count(fmt_key(port, shape.rank())) > 0;
      OPKIT_TRY(const Range dim, item.evaluate(local));
      if (dim.lo < 0)
        return contract
            .error(
                "OPK-INFER-012",
                fmt::format("dim {} of {} would be {}", shape.rank(), port.name, dim.to_string()),
                "choose other symbol values")
            .at(item.where());
      shape.dims().push_back(collapsed ? 1 : dim.lo);
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Result<double> bound_value(const ValueBound& bound, const Scope& scope) {
  if (const double* number = std::get_if<double>(&bound)) return *number;
  OPKIT_TRY(const Range value, std::get<Expr>(bound).evaluate(scope));
  if (value.is_known()) return static_cast<double>(value.lo);
  return Error("OPK-INFER-015", "the range of an input's values is not known",
               "give every symbol a value")
      .at(std::get<Expr>(bound).where());
}

std::string symbol_text(const OpContract& contract, const Symbol& symbol, const Scope& scope) {
  (void)contract;
  if (const auto number = scope.numbers.find(symbol.name); number != scope.numbers.end())
    return number->second.to_string();
  const auto list = scope.lists.find(symbol.name);
  if (list == scope.lists.end()) return "unbound";
  if (!list->second.known_length) return "[...]";
  std::vector<std::string> items;
  for (const Range& item : list->second.items) items.push_back(item.to_string());
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string truth_text(const Range& truth) {
  if (truth.is_true()) return "holds";
  return truth.is_false() ? "broken" : "not decided";
}

Json facts_json(const std::vector<Port>& ports, std::span<const PortFacts> facts) {
  Json list = Json::array();
  for (size_t i = 0; i < facts.size(); ++i) {
    for (const TensorFacts& tensor : facts[i]) {
      Json one;
      one["port"] = ports[i].name;
      one["dtype"] = name_of(tensor.desc.dtype);
      one["shape"] = tensor.desc.shape.dims();
      one["format"] = name_of(tensor.desc.format);
      for (size_t d = 0; tensor.desc.shape.has_rank() && d < tensor.desc.shape.rank(); ++d) {
        const Range range = tensor.dim(d);
        const auto high = range.hi == Range::kHighest ? Json() : Json(range.hi);
        one["ranges"].push_back({range.lo, high});
      }
      list.push_back(std::move(one));
    }
  }
  return list;
}

}  // namespace

Result<std::vector<PortFacts>> infer(const OpContract& contract, const Binding& binding) {
  std::vector<PortFacts> outputs;
  for (const Port& port : contract.outputs) {
    OPKIT_TRY(PortFacts tensors, infer_port(contract, port, binding.column, binding.scope));
    outputs.push_back(std::move(tensors));
  }
  return outputs;
}

Result<std::vector<PortFacts>> infer(const OpContract& contract, std::span<const PortFacts> inputs,
                                     const AttrValues& attrs) {
  OPKIT_TRY(const Binding binding, bind_facts(contract, inputs, attrs));
  return infer(contract, binding);
}

Result<std::vector<TensorDesc>> infer(const OpContract& contract,
                                      std::span<const TensorDesc> inputs, const AttrValues& attrs) {
  OPKIT_TRY(const std::vector<PortFacts> ports, arrange_inputs(contract, inputs));
  OPKIT_TRY(const std::vector<PortFacts> outputs,
            infer(contract, std::span<const PortFacts>(ports), attrs));
  std::vector<TensorDesc> descs;
  for (const PortFacts& port : outputs) {
    for (const TensorFacts& tensor : port) descs.push_back(tensor.desc);
  }
  return descs;
}

Result<ConcreteShapes> shapes_from_symbols(const OpContract& contract, const SymbolValues& values,
                                           const AttrValues& attrs) {
  OPKIT_TRY(const AttrValues complete, contract.complete(attrs));
  const Scope scope = scope_of(contract, values, complete);
  ConcreteShapes shapes;
  for (const Port& port : contract.inputs) {
    auto made = input_shapes(contract, port, values, scope);
    if (!made.ok()) return std::move(made).error().of(contract.op).with("input " + port.name);
    shapes.inputs.push_back(std::move(made).value());
  }
  for (const Port& port : contract.outputs) {
    OPKIT_TRY(const PortFacts tensors, infer_port(contract, port, 0, scope));
    std::vector<Shape> made;
    for (const TensorFacts& tensor : tensors) made.push_back(tensor.desc.shape);
    shapes.outputs.push_back(std::move(made));
  }
  return shapes;
}

Result<std::optional<std::pair<double, double>>> value_range(const Port& input,
                                                             const Scope& scope) {
  if (!input.values) return std::optional<std::pair<double, double>>();
  OPKIT_TRY(const double low, bound_value(input.values->first, scope));
  OPKIT_TRY(const double high, bound_value(input.values->second, scope));
  return std::optional(std::pair(low, high));
}

std::string infer_text(const OpContract& contract, std::span<const PortFacts> inputs,
                       const Binding& binding, std::span<const PortFacts> outputs) {
  std::string text = fmt::format("{} {}\n", contract.op, contract.version);
  const auto list = [&text](const char* title, std::span<const PortFacts> ports) {
    text += fmt::format("{}:\n", title);
    for (const PortFacts& port : ports) {
      for (const TensorFacts& tensor : port) text += fmt::format("  {}\n", tensor.to_string());
    }
  };
  list("inputs", inputs);
  list("outputs", outputs);
  const std::string column = contract.column_name(binding.column);
  if (!column.empty()) text += fmt::format("column {}: {}\n", binding.column, column);
  for (const Symbol& symbol : contract.symbols)
    text += fmt::format("{} = {}\n", symbol.name, symbol_text(contract, symbol, binding.scope));
  for (const ConstraintState& state : judge_constraints(contract, binding.scope)) {
    text += fmt::format("{} {}: {}\n", state.constraint->label, truth_text(state.truth),
                        state.constraint->text);
  }
  return text;
}

Json infer_json(const OpContract& contract, std::span<const PortFacts> inputs,
                const Binding& binding, std::span<const PortFacts> outputs) {
  Json json;
  json["op"] = contract.op;
  json["version"] = contract.version;
  json["column"] = binding.column;
  json["inputs"] = facts_json(contract.inputs, inputs);
  json["outputs"] = facts_json(contract.outputs, outputs);
  json["symbols"] = Json::object();
  for (const Symbol& symbol : contract.symbols)
    json["symbols"][symbol.name] = symbol_text(contract, symbol, binding.scope);
  json["constraints"] = Json::array();
  for (const ConstraintState& state : judge_constraints(contract, binding.scope)) {
    json["constraints"].push_back({{"label", state.constraint->label},
                                   {"rule", state.constraint->text},
                                   {"state", truth_text(state.truth)}});
  }
  return json;
}

}  // namespace opkit
