#include "opkit/contract/try_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/contract/lower.h"
#include "opkit/contract/sample_calls.h"
#include "opkit/contract/scope.h"
#include "opkit/reference/operators.h"

namespace opkit {
namespace {

// Returns the tensors of one port of a call. Which axes are 1 in place of N ("N|1") is left to the
// cases.
Result<std::vector<graph::ValueInfo>> tensors_of(const Port& port, size_t column,
                                                 const SampleCall& call, Scope scope) {
  std::vector<graph::ValueInfo> tensors;
  if (call.symbols.absent.count(port.name) > 0) return tensors;
  OPKIT_TRY(const size_t count, [&]() -> Result<size_t> {
    if (port.presence != Presence::kDynamic) return size_t{1};
    const Range range = scope.counts.at(port.name);
    if (!range.is_known()) return Error("OPK-CONTRACT-046", "how many tensors is not known", "");
    return static_cast<size_t>(range.lo);
  }());
  for (size_t i = 0; i < count; ++i) {
    graph::ValueInfo value;
    value.dtype = port.dtypes[column];
    scope.instance = static_cast<int>(i);
    if (!port.shape.opaque) {
      OPKIT_TRY(std::vector<int64_t> dims, dims_in(port.shape.items, scope));
      for (const std::string& collapsed : call.symbols.collapsed) {
        const size_t colon = collapsed.find(':');
        if (collapsed.substr(0, colon) != port.name) continue;
        const size_t axis = std::stoul(collapsed.substr(colon + 1));
        if (axis < dims.size()) dims[axis] = 1;
      }
      value.shape = Shape(std::move(dims));
    }
    tensors.push_back(std::move(value));
  }
  return tensors;
}

class Trial {
 public:
  // Tries `spelling`; null: the reference.
  Trial(const OpContract& contract, const Spelling* spelling, std::vector<SampleCall> calls)
      : contract_(contract), spelling_(spelling), calls_(std::move(calls)) {
    for (SampleCall& call : calls_) {
      if (!spelling) break;
      for (const auto& [name, value] : spelling->attrs) call.attrs[name] = value;
    }
    leave_out_refused();
  }

  Errors run() {
    for (size_t column = 0; column < contract_.column_count(); ++column) try_column(column);
    return std::move(messages_);
  }

 private:
  void try_column(size_t column) {
    bool any = false;
    std::vector<std::pair<const SampleCall*, Error>> refused;
    for (const SampleCall& call : calls_) {
      Status done = try_call(column, call);
      any = any || done.ok();
      if (!done.ok()) refused.emplace_back(&call, std::move(done).error());
    }
    for (auto& [call, error] : refused) {
      const bool of_the_author = call->where.line > 0;
      if (!any || of_the_author || is_wrong_anywhere(error)) {
        add(std::move(error), column, *call);
      } else {
        warn_of_gap(error, column, *call);
      }
    }
  }

  // Calls made up here that inference refuses come to no reference; unless there are no others.
  void leave_out_refused() {
    std::vector<SampleCall> kept = calls_;
    std::erase_if(kept, [this](const SampleCall& call) {
      return call.where.line == 0 && is_refused_by_inference(call);
    });
    if (!kept.empty()) calls_ = std::move(kept);
  }

  // Tells whether inference finds no dims of an output. What only values tell is no reason.
  bool is_refused_by_inference(const SampleCall& call) const {
    const Scope scope = scope_of(contract_, call.symbols, call.attrs);
    return std::ranges::any_of(contract_.outputs, [&](const Port& port) {
      if (port.shape.opaque || port.presence == Presence::kDynamic) return false;
      const auto dims = dims_in(port.shape.items, scope);
      return !dims.ok() && dims.error().is(Cause::kUnfitDims);
    });
  }

  // Whatever the shapes are.
  static bool is_wrong_anywhere(const Error& error) {
    return error.code != reference::kBadShape && error.code != reference::kBadAttribute;
  }

  Status try_call(size_t column, const SampleCall& call) {
    ReferenceCall known{
        {}, call.attrs, scope_of(contract_, call.symbols, call.attrs), column, spelling_};
    for (const Port& port : contract_.inputs) {
      auto tensors = tensors_of(port, column, call, known.scope);
      if (!tensors.ok()) return {};  // a shape that only values tell
      known.inputs.push_back(std::move(tensors).value());
    }
    auto lowered = lower_reference(contract_, known);
    if (!lowered.ok()) {
      const bool open = lowered.error().is(Cause::kOpenDims);
      return open ? Status() : Status(std::move(lowered).error());
    }
    for (const graph::Node& node : lowered->graph.nodes) check_bound(lowered->graph, node, column);
    return compare_outputs(*lowered, column, known.scope);
  }

  Status compare_outputs(const LoweredReference& lowered, size_t column, Scope scope) const {
    for (size_t p = 0; p < contract_.outputs.size(); ++p) {
      const Port& port = contract_.outputs[p];
      for (size_t i = 0; i < lowered.outputs[p].size(); ++i) {
        scope.instance = static_cast<int>(i);
        const graph::ValueInfo& value = lowered.graph.values.at(lowered.outputs[p][i]);
        OPKIT_CHECK(compare(port, column, value, scope));
      }
    }
    return {};
  }

  Status compare(const Port& port, size_t column, const graph::ValueInfo& value,
                 const Scope& scope) const {
    if (value.dtype != DType::kUndefined && value.dtype != port.dtypes[column]) {
      return Error("OPK-CONTRACT-047",
                   fmt::format("the {} gives {} as {}, the output is declared as {}", subject(),
                               port.name, name_of(value.dtype), name_of(port.dtypes[column])),
                   "add a Cast to the reference, or correct the output's dtype")
          .at(spelling_ ? spelling_->where : port.where);
    }
    if (!value.shape || port.shape.opaque) return {};
    const auto dims = dims_in(port.shape.items, scope);
    if (!dims.ok() || Shape(*dims) == *value.shape) return {};
    return Error(
               "OPK-CONTRACT-047",
               fmt::format("the {} gives {} the shape {}, the output is declared as {}", subject(),
                           port.name, value.shape->to_string(), Shape(*dims).to_string()),
               "correct the output's shape, or the reference")
        .at(spelling_ ? spelling_->where : port.shape.where);
  }

  std::string subject() const { return spelling_ ? "spelling " + spelling_->name : "reference"; }

  void check_bound(const graph::Graph& graph, const graph::Node& node, size_t column) {
    if (contract_.tolerance_of(column) != nullptr) return;
    const auto* op = reference::find_operator(node.op_type);
    if (op->bound.rule != reference::BoundRule::kNone || !reals_involved(graph, node)) return;
    if (!bounds_named_.insert({node.where.line, node.where.column}).second) return;
    Error warning = Error("OPK-CONTRACT-049",
                          fmt::format("no error bound is known for {}: tests of this op are "
                                      "UNIMPLEMENTED",
                                      node.op_type),
                          "compose it from other operators, or state a tolerance with a reason")
                        .at(node.where)
                        .of(contract_.op);
    warning.severity = Severity::kWarning;
    messages_.push_back(std::move(warning));
  }

  static bool reals_involved(const graph::Graph& graph, const graph::Node& node) {
    const auto real = [&](const std::string& name) {
      const auto found = graph.values.find(name);
      return found != graph.values.end() && is_float(found->second.dtype);
    };
    return std::any_of(node.inputs.begin(), node.inputs.end(), real) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), real);
  }

  std::string context(size_t column, const SampleCall& call) const {
    const std::string name = contract_.column_name(column), values = to_string(call);
    return "for " + name + (name.empty() || values.empty() ? "" : ", ") + values;
  }

  // One message for each place and code.
  void add(Error error, size_t column, const SampleCall& call) {
    if (!named_.insert({error.code, error.where.line, error.where.column}).second) return;
    error.op = contract_.op;
    if (context(column, call) != "for ") error.trail.push_back(context(column, call));
    if (call.where.line > 0) error.trail.push_back("the case at " + call.where.to_string());
    messages_.push_back(std::move(error));
  }

  void warn_of_gap(const Error& error, size_t column, const SampleCall& call) {
    Error warning = Error("OPK-CONTRACT-048",
                          fmt::format("the constraints allow a call that the reference refuses: {}",
                                      error.message),
                          "add a constraint that excludes it")
                        .at(error.where);
    warning.severity = Severity::kWarning;
    add(std::move(warning), column, call);
  }

  const OpContract& contract_;
  const Spelling* spelling_;
  std::vector<SampleCall> calls_;
  Errors messages_;
  std::set<std::tuple<std::string, int, int>> named_;
  std::set<std::pair<int, int>> bounds_named_;
};

}  // namespace

Errors try_reference(const OpContract& contract) {
  const std::vector<SampleCall> calls = sample_calls(contract);
  Errors messages = Trial(contract, nullptr, calls).run();
  for (const Spelling& spelling : contract.spellings) {
    Errors more = Trial(contract, &spelling, calls).run();
    messages.insert(messages.end(), more.begin(), more.end());
  }
  return messages;
}

}  // namespace opkit
