#include "opkit/atc/compile/single_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/atc/compile/make_schedule.h"
#include "opkit/contract/deal.h"
#include "opkit/contract/lower.h"
#include "opkit/reference/tensor.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::compile {
namespace {

Error misfit(const SingleOp& asked, const std::string& why, std::string action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--singleop] is invalid. Reason: {}",
                           asked.where.file, why),
               std::move(action))
      .at(asked.where)
      .of(asked.op);
}

class SingleOpModel {
 public:
  SingleOpModel(const SingleOp& asked, InstalledOp& op, const std::string& soc, Costs& costs)
      : asked_(asked), op_(op), soc_(soc), costs_(costs), contract_(op.contract()) {}

  Result<Schedule> run() {
    OPKIT_CHECK(add_inputs());
    facts_.attrs = asked_.attrs;
    OPKIT_TRY(Executor * executor, op_.executor());
    auto plan = executor->plan(contract_, soc_, facts_);
    if (!plan.ok()) return std::move(plan).error().at(asked_.where);
    candidate_.taker = Taker::kPlugin;
    candidate_.op = &op_;
    candidate_.plan = std::move(*plan);
    candidate_.match.contract = &contract_;
    candidate_.match.column = candidate_.plan->binding.column;
    OPKIT_CHECK(add_outputs());
    // A name for the step; what the op computes stands in its plugin.
    graph_.nodes.push_back({"", {}, graph_.outputs, {}, asked_.op, {}});
    candidate_.nodes = {0};
    costs_.model(graph_, candidate_);
    const auto never = [](const Candidate&, const InPlace&) { return false; };
    OPKIT_TRY(Schedule made, make_schedule(graph_, {candidate_}, {0}, never));
    made.model.name = asked_.op;
    made.model.soc = candidate_.plan->soc->name;
    made.model.cover = "optimal";
    return made;
  }

 private:
  Result<std::vector<size_t>> shares_of_inputs() const {
    const size_t count = asked_.inputs.size();
    Dealing dealing = deal(contract_.inputs, count);
    if (dealing.several_dynamic)
      return misfit(asked_, fmt::format("{} has several dynamic inputs", asked_.op),
                    "compile a graph that holds it");
    if (!dealing.shares)
      return misfit(
          asked_,
          fmt::format("{} has {} inputs, {} are given", asked_.op, contract_.inputs.size(), count),
          fmt::format("state them in the contract's order: opkit why {}", asked_.op));
    return std::move(*dealing.shares);
  }

  std::string fresh(const std::string& name) {
    std::string made = name;
    while (!names_.insert(made).second) made += "_out";
    return made;
  }

  Status add_inputs() {
    OPKIT_TRY(const std::vector<size_t> shares, shares_of_inputs());
    for (size_t p = 0, next = 0; p < shares.size(); ++p) {
      facts_.inputs.emplace_back();
      candidate_.match.inputs.emplace_back();
      for (size_t i = 0; i < shares[p]; ++i, ++next)
        OPKIT_CHECK(add_input(contract_.inputs[p], i, asked_.inputs[next]));
      const auto& values = candidate_.match.inputs.back();
      candidate_.constant_inputs.push_back(std::ranges::all_of(
          values, [&](const std::string& value) { return graph_.constant(value) != nullptr; }));
    }
    return {};
  }

  Status add_input(const Port& port, size_t i, const SingleOpTensor& tensor) {
    if (tensor.absent && port.presence == Presence::kOptional) return {};
    if (tensor.absent)
      return misfit(asked_, fmt::format("input '{}' is not optional", port.name),
                    "state its type, format and shape");
    const std::string name = fresh(tensor_name(port, i));
    candidate_.match.inputs.back().push_back(name);
    InputFacts& facts = facts_.inputs.back().emplace_back();
    facts.desc = {port.name, tensor.desc.dtype, tensor.desc.shape,
                  taken_as(tensor.desc.format, port.formats)};
    if (tensor.constant) {
      graph_.add_constant(name, *tensor.constant);
      OPKIT_TRY(Tensor value, reference::to_tensor(*tensor.constant));
      facts.value = constants_.emplace_back(std::make_unique<Tensor>(std::move(value)))->bytes();
      return {};
    }
    if (port.value_depend)
      return misfit(asked_, fmt::format("input '{}' is planned with its values", port.name),
                    "\"is_const\": true, \"const_value\": [...]");
    graph_.add_input(name, tensor.desc.dtype, tensor.desc.shape);
    return {};
  }

  Status add_outputs() {
    const auto& layouts = candidate_.plan->output_layouts;
    std::vector<const SingleOpTensor*> stated;
    for (const SingleOpTensor& tensor : asked_.outputs)
      if (!tensor.absent) stated.push_back(&tensor);
    size_t next = 0;
    for (size_t p = 0; p < layouts.size(); ++p) {
      candidate_.match.outputs.emplace_back();
      for (size_t i = 0; i < layouts[p].size(); ++i, ++next)
        OPKIT_CHECK(add_output(contract_.outputs[p], i, layouts[p][i],
                               next < stated.size() ? stated[next] : nullptr));
    }
    if (stated.size() == next) return {};
    return misfit(asked_,
                  fmt::format("{} gives {} tensors, {} are stated", asked_.op, next, stated.size()),
                  "state them in the contract's order");
  }

  Status add_output(const Port& port, size_t i, const StorageLayout& layout,
                    const SingleOpTensor* stated) {
    if (!stated) return {};  // the count tells
    if (stated->desc.dtype != layout.dtype() || stated->desc.shape != layout.origin())
      return misfit(asked_,
                    fmt::format("output '{}' is stated as {}{}, the op gives {}{}", port.name,
                                name_of(stated->desc.dtype), stated->desc.shape.to_string(),
                                name_of(layout.dtype()), layout.origin().to_string()),
                    "correct output_desc");
    const std::string name = fresh(tensor_name(port, i));
    candidate_.match.outputs.back().push_back(name);
    graph::ValueInfo& value = graph_.values[name];
    value.dtype = layout.dtype();
    value.shape = layout.origin();
    graph_.outputs.push_back(name);
    return {};
  }

  const SingleOp& asked_;
  InstalledOp& op_;
  const std::string& soc_;
  Costs& costs_;
  const OpContract& contract_;
  CallFacts facts_;
  Candidate candidate_;
  graph::Graph graph_;
  std::set<std::string> names_;
  std::vector<std::unique_ptr<Tensor>> constants_;
};

}  // namespace

Result<Schedule> compile_single_op(const SingleOp& asked, InstalledOp& op, const std::string& soc,
                                   Costs& costs) {
  return SingleOpModel(asked, op, soc, costs).run();
}

}  // namespace opkit::compile
