#include "opkit/call/infer/binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/contract/rank_rule.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

// What a symbol may be: as a dim, a list of dims, or a dim of one tensor of a dynamic input.
class Binder {
 public:
  Binder(const OpContract& contract, std::span<const PortFacts> inputs)
      : contract_(contract), inputs_(inputs) {}

  Result<Binding> run(const AttrValues& attrs) {
    OPKIT_TRY(binding_.attrs, contract_.complete(attrs));
    OPKIT_CHECK(check_presence());
    OPKIT_CHECK(choose_column());
    add_attrs(binding_.attrs, binding_.scope);
    OPKIT_CHECK(bind_ports());
    settle_collapsible();
    open_unbound();
    tighten();
    OPKIT_CHECK(check_computed_dims());
    OPKIT_CHECK(check_constraints(contract_, binding_.scope));
    return std::move(binding_);
  }

 private:
  Scope& scope() { return binding_.scope; }

  Error mismatch(std::string code, const Port& port, std::string message, std::string action) {
    return Error(std::move(code), std::move(message), std::move(action))
        .at(port.shape.where)
        .of(contract_.op);
  }

  Status check_presence() {
    if (inputs_.size() != contract_.inputs.size()) {
      return contract_.error("OPK-INFER-001",
                             fmt::format("{} inputs are given, the op has {}", inputs_.size(),
                                         contract_.inputs.size()),
                             "give one entry for each input");
    }
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Port& port = contract_.inputs[i];
      const size_t count = inputs_[i].size();
      scope().counts[port.name] = Range::of(static_cast<int64_t>(count));
      if (port.presence == Presence::kDynamic || count == 1) continue;
      if (port.presence == Presence::kOptional && count == 0) continue;
      return contract_
          .error("OPK-INFER-006",
                 fmt::format("input {} is {} and has {} tensors", port.name, name_of(port.presence),
                             count),
                 "give exactly one")
          .at(port.where);
    }
    return {};
  }

  Status choose_column() {
    std::vector<DType> dtypes;
    std::vector<Format> formats;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const PortFacts& tensors = inputs_[i];
      dtypes.push_back(tensors.empty() ? DType::kUndefined : tensors[0].desc.dtype);
      formats.push_back(tensors.empty() ? contract_.inputs[i].formats[0] : tensors[0].desc.format);
      for (const TensorFacts& tensor : tensors) {
        if (tensor.desc.dtype == dtypes.back() && tensor.desc.format == formats.back()) continue;
        return contract_.error(
            "OPK-INFER-007",
            fmt::format("the tensors of {} differ in dtype or format: {} and {}",
                        contract_.inputs[i].name, tensors[0].to_string(), tensor.to_string()),
            "give all tensors of a dynamic input one dtype and format");
      }
    }
    OPKIT_TRY(binding_.column, contract_.column_for(dtypes, formats));
    return {};
  }

  Status bind_ports() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const Port& port = contract_.inputs[i];
      if (port.value_depend) bind_values(port, inputs_[i]);
      per_tensor_.clear();
      for (const Expr& item : port.shape.items) {
        if (item.is_per_tensor()) per_tensor_[item.bare_name()] = {};
      }
      for (const TensorFacts& tensor : inputs_[i]) OPKIT_CHECK(bind_tensor(port, tensor));
      for (const auto& [name, dims] : per_tensor_) OPKIT_CHECK(unify_list(port, name, dims));
    }
    return {};
  }

  void bind_values(const Port& port, const PortFacts& tensors) {
    ListValue& list = scope().lists[port.name];
    if (tensors.empty()) return;
    if (tensors[0].values) {
      list = ListValue::of(*tensors[0].values);
    } else if (const Shape& shape = tensors[0].desc.shape;
               shape.has_rank() && shape.rank() == 1 && shape[0] >= 0 && shape[0] <= 64) {
      list = {true, std::vector<Range>(static_cast<size_t>(shape[0]))};
    }
  }

  Status bind_tensor(const Port& port, const TensorFacts& tensor) {
    const std::vector<Expr>& items = port.shape.items;
    if (port.shape.opaque) return {};
    if (!tensor.desc.shape.has_rank()) return bind_unknown_rank(items);
    const size_t rank = tensor.desc.shape.rank();
    OPKIT_TRY(const Widths widths, widths_of(items));
    if (widths.open ? rank < widths.least : rank != widths.least) {
      return mismatch("OPK-INFER-004", port,
                      fmt::format("{} has rank {} ({}); its shape \"{}\" needs rank {}{}",
                                  port.name, rank, tensor.to_string(), port.shape.text,
                                  widths.least, widths.open ? " or more" : ""),
                      "reshape the tensor");
    }
    size_t axis = 0;
    for (size_t i = 0; i < items.size(); ++i) {
      const Expr& item = items[i];
      const size_t width = widths.open == &item ? rank - widths.least : widths.of[i];
      if (is_list(item)) {
        OPKIT_CHECK(bind_list(port, tensor, item, axis, width));
      } else {
        OPKIT_CHECK(bind_dim(port, tensor, item, axis));
      }
      axis += width;
    }
    return {};
  }

  // How many dims each item of a shape takes; the one list among them takes what the others leave.
  struct Widths {
    std::vector<size_t> of;
    size_t least = 0;            // their sum
    const Expr* open = nullptr;  // the list that takes the rest
  };

  Result<Widths> widths_of(const std::vector<Expr>& items) {
    const bool several = std::count_if(items.begin(), items.end(), is_list) > 1;
    Widths widths;
    for (const Expr& item : items) {
      const auto rule =
          is_list(item) && several ? rank_rule(contract_, item.bare_name()) : std::optional<Expr>();
      if (is_list(item) && !rule) widths.open = &item;
      size_t width = is_list(item) ? 0 : 1;
      if (rule) {
        OPKIT_TRY(const Range stated, rule->evaluate(scope()));
        width = static_cast<size_t>(std::clamp<int64_t>(stated.lo, 0, kMostDims));
      }
      widths.of.push_back(width);
      widths.least += width;
    }
    return widths;
  }

  static constexpr int64_t kMostDims = 1 << 20;  // more than any tensor has

  static bool is_list(const Expr& item) { return item.type() == Expr::Type::kList; }

  Status bind_unknown_rank(const std::vector<Expr>& items) {
    for (const Expr& item : items) {
      if (item.is_per_tensor()) per_tensor_[item.bare_name()].push_back(Range::any_dim());
    }
    return {};
  }

  Status bind_list(const Port& port, const TensorFacts& tensor, const Expr& item, size_t axis,
                   size_t width) {
    ListValue dims{true, {}};
    for (size_t i = 0; i < width; ++i) dims.items.push_back(tensor.dim(axis + i));
    return unify_list(port, item.bare_name(), dims.items);
  }

  // Gives a list symbol these dims, or narrows what an earlier input gave it.
  Status unify_list(const Port& port, const std::string& name, const std::vector<Range>& dims) {
    const auto [known, fresh] = scope().lists.emplace(name, ListValue{true, dims});
    if (fresh) {
      sources_[name] = port.name;
      return {};
    }
    std::vector<Range>& items = known->second.items;
    bool fits = items.size() == dims.size();
    std::vector<Range> common = items;
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      common[i] = items[i].meet(dims[i]);
      fits = !common[i].is_empty();
    }
    if (!fits) {
      return mismatch("OPK-INFER-005", port,
                      fmt::format("the dims {} of {} are {}, expected {} (from {})", name,
                                  port.name, list_text(dims), list_text(items), sources_[name]),
                      fmt::format("give both the same dims for {}", name));
    }
    items = std::move(common);
    return {};
  }

  static std::string list_text(const std::vector<Range>& items) {
    std::vector<std::string> texts;
    for (const Range& item : items) texts.push_back(item.to_string());
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }

  Status bind_dim(const Port& port, const TensorFacts& tensor, const Expr& item, size_t axis) {
    const std::string name = item.bare_name();
    const Range dim = tensor.dim(axis);
    if (name.empty()) {
      computed_.push_back({&port, &item, axis, dim});
      return {};
    }
    if (item.is_per_tensor()) {
      per_tensor_[name].push_back(dim);
      return {};
    }
    if (item.is_collapsible() && dim.contains(1)) {
      if (dim.is_known()) collapsed_.push_back(name);
      return {};
    }
    const auto [known, fresh] = scope().numbers.emplace(name, dim);
    if (fresh) {
      sources_[name] = port.name;
      return {};
    }
    const Range common = known->second.meet(dim);
    if (common.is_empty()) {
      return mismatch("OPK-INFER-005", port,
                      fmt::format("dim {} of {} is {}, expected {} = {} (from {})", axis, port.name,
                                  dim.to_string(), name, known->second.to_string(), sources_[name]),
                      fmt::format("give both the same {}", name));
    }
    known->second = common;
    return {};
  }

  // A collapsible symbol that nothing else bound is 1.
  void settle_collapsible() {
    for (const std::string& name : collapsed_) scope().numbers.emplace(name, Range::of(1));
  }

  // Symbols of present inputs that the facts say nothing about.
  void open_unbound() {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].empty()) continue;
      for (const Expr& item : contract_.inputs[i].shape.items) {
        const std::string name = item.bare_name();
        if (name.empty() || item.is_per_tensor()) continue;
        if (is_list(item)) {
          scope().lists.emplace(name, ListValue{});
        } else {
          scope().numbers.emplace(name, Range::any_dim());
        }
      }
    }
  }

  // Constraints narrow what is not known; a contradiction is left for check_constraints to report.
  void tighten() {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      for (const Constraint& constraint : contract_.where) {
        for (const Expr& part : constraint.rule.conjuncts()) {
          std::string name;
          const Range limit = part.limit(scope(), name);
          const auto found = scope().numbers.find(name);
          if (found == scope().numbers.end() || found->second.is_known()) continue;
          const Range narrowed = found->second.meet(limit);
          if (!narrowed.is_empty()) found->second = narrowed;
        }
      }
    }
  }

  // Dims that are written as expressions or numbers.
  Status check_computed_dims() {
    for (const Computed& one : computed_) {
      OPKIT_TRY(const Range expected, one.item->evaluate(scope()));
      if (!expected.meet(one.dim).is_empty()) continue;
      const std::string formula =
          one.item->is_constant()
              ? expected.to_string()
              : fmt::format("{} = {}", one.item->to_string(), expected.to_string());
      return mismatch("OPK-INFER-005", *one.port,
                      fmt::format("dim {} of {} is {}, expected {}", one.axis, one.port->name,
                                  one.dim.to_string(), formula),
                      "give it the expected size");
    }
    return {};
  }

  struct Computed {
    const Port* port;
    const Expr* item;
    size_t axis;
    Range dim;
  };

  const OpContract& contract_;
  std::span<const PortFacts> inputs_;
  Binding binding_;
  std::map<std::string, std::string> sources_;  // symbol -> input that bound it first
  std::vector<std::string> collapsed_;
  std::vector<Computed> computed_;
  // Holds a range for each tensor of the port that is being bound.
  std::map<std::string, std::vector<Range>> per_tensor_;
};

}  // namespace

int64_t Binding::dim(const std::string& symbol) const {
  const auto found = scope.numbers.find(symbol);
  return found != scope.numbers.end() && found->second.is_known() ? found->second.lo : kUnknownDim;
}

Result<Binding> bind_facts(const OpContract& contract, std::span<const PortFacts> inputs,
                           const AttrValues& attrs) {
  return Binder(contract, inputs).run(attrs);
}

std::vector<ConstraintState> judge_constraints(const OpContract& contract, const Scope& scope) {
  std::vector<ConstraintState> states;
  for (const Constraint& constraint : contract.where) {
    ConstraintState state{&constraint, Range::either(), {}};
    auto truth = constraint.rule.evaluate(scope);
    if (truth.ok()) {
      state.truth = *truth;
    } else {
      state.problem = truth.error().message;
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace opkit
