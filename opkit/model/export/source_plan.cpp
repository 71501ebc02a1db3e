#include "opkit/model/export/source_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/model/export/source_text.h"

namespace opkit::model_export {
namespace {

class PlanWriter {
 public:
  explicit PlanWriter(const PlanParts& parts) : parts_(parts) {
    for (const OperationChain& chain : parts.chains) {
      for (const size_t i : chain.operations) chain_of_[i] = &chain;
    }
  }

  std::string run() {
    for (size_t i = 0; i < parts_.codes.size(); ++i) {
      take_step(i);
      take_releases(i);
    }
    std::string calls;
    for (size_t step = 0; step < steps_; ++step)
      calls += fmt::format("  plan_{}(m, plan);\n", step);
    for (const std::string& place : parts_.given) calls += fmt::format("  plan.give({});\n", place);
    return functions_ +
           fmt::format("void make_plan(const Memory& m, Plan& plan) {{\n{}}}\n", calls);
  }

 private:
  const graph::Node& node(size_t i) const { return parts_.steps.program.operations[i].node; }

  void take_step(size_t i) {
    const auto found = chain_of_.find(i);
    if (found == chain_of_.end()) {
      if (!parts_.codes[i].empty()) write({i}, onednn_step(parts_.steps, i));
    } else if (found->second->last() == i) {
      write(found->second->operations, onednn_step(parts_.steps, *found->second));
    }
  }

  // One function for each step: the fast form, else loops.
  void write(const std::vector<size_t>& operations, const std::string& fast) {
    std::string loops;
    for (const size_t i : operations) {
      if (!parts_.codes[i].empty()) loops += loop_of(i);
    }
    std::string body = loops;
    if (!fast.empty()) {
      const std::string rounding = parts_.rounding(operations.back());
      body =
          fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", fast,
                      rounding.empty() ? "" : "  " + rounded_in_place(operations.back(), rounding),
                      indented(loops, 2));
      if (rounding.empty()) body = fmt::format("if (!{}) {{\n{}}}\n", fast, indented(loops, 2));
    }
    functions_ += fmt::format("void plan_{}(const Memory& m, Plan& plan) {{\n{}{}", steps_++,
                              parts_.declarations(operations, body), indented(body, 2));
    open_ = true;
  }

  // Writes "round_float16(8, v3);" as a step on whatever layout v3 has.
  std::string rounded_in_place(size_t i, const std::string& rounding) const {
    const Variable y = parts_.steps.variable(node(i).outputs[0]);
    return fmt::format("plan.round({}, {});\n", y.name, rounding.substr(0, rounding.find('(')));
  }

  std::string loop_of(size_t i) const {
    return fmt::format("plan.loop({{{}}}, {{{}}}, [=] {{\n{}}});\n",
                       fmt::join(mentioned(node(i).inputs, parts_.codes[i]), ", "),
                       fmt::join(mentioned(node(i).outputs, parts_.codes[i]), ", "),
                       indented(parts_.codes[i], 2));
  }

  std::vector<std::string> mentioned(const std::vector<std::string>& names,
                                     const std::string& code) const {
    std::vector<std::string> all;
    for (const std::string& name : names) {
      if (name.empty()) continue;
      const Variable variable = parts_.steps.variable(name);
      if (variable.constant == nullptr && mentions(code, variable.name))
        all.push_back(variable.name);
    }
    return all;
  }

  void take_releases(size_t i) {
    const auto found = parts_.gone.find(i + 1);
    if (found != parts_.gone.end())
      gone_.insert(gone_.end(), found->second.begin(), found->second.end());
    if (!open_) return;
    for (const std::string& place : gone_)
      functions_ += fmt::format("  plan.release({});\n", place);
    functions_ += "}\n\n";
    gone_.clear();
    open_ = false;
  }

  const PlanParts& parts_;
  std::map<size_t, const OperationChain*> chain_of_;
  std::string functions_;
  std::vector<std::string> gone_;
  size_t steps_ = 0;
  bool open_ = false;
};

}  // namespace

std::string plan_source(const PlanParts& parts) { return PlanWriter(parts).run(); }

}  // namespace opkit::model_export
