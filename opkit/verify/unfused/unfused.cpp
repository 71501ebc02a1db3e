#include "opkit/verify/unfused/unfused.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/oracle/float_format.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/unfused/node_walk.h"

namespace opkit::verify {
namespace {

void note(Accuracy& accuracy, const Tensor& got, const oracle::Bounded& expected) {
  for (int64_t i = 0; i < got.elements(); ++i) {
    const double value = got.at(i), ideal = expected.value[i];
    if (value == ideal || (std::isnan(value) && std::isnan(ideal))) {
      ++accuracy.elements;
      continue;
    }
    if (is_float(got.dtype()) && value == oracle::round_to(got.dtype(), ideal, false) &&
        std::isinf(value)) {
      ++accuracy.elements;  // beyond the dtype's range
      continue;
    }
    if (!std::isfinite(value) || !std::isfinite(ideal)) {
      ++accuracy.differing;
      continue;
    }
    const double ulp = is_float(got.dtype()) ? oracle::ulp_at(got.dtype(), ideal) : 1;
    const double off = std::abs(value - ideal) / ulp;
    accuracy.worst = std::max(accuracy.worst, off);
    accuracy.sum += off;
    ++accuracy.elements;
  }
}

class UnfusedRun {
 public:
  UnfusedRun(const OpContract& contract, Executor& fused, SingleOps& singles)
      : contract_(contract), fused_(fused), singles_(singles) {
    for (const ReferenceNode& node : contract.reference)
      report_.nodes.emplace_back(fmt::format("{} -> {}", node.op, node.out[0]), "");
  }

  void take(const Problem& problem) {
    UnfusedRow row{
        contract_.column_name(problem.column), std::string(name_of(problem.data)), {}, {}, {}};
    const Status done = compare(problem, row);
    if (!done.ok()) row.skipped = done.error().message;
    report_.rows.push_back(std::move(row));
  }

  UnfusedReport report() { return std::move(report_); }

 private:
  Status compare(const Problem& problem, UnfusedRow& row) {
    if (const std::string reason = not_on_chip(contract_, problem); !reason.empty())
      return Error("OPK-VERIFY-070", reason, "");
    OPKIT_TRY(const Ports inputs, make_inputs(contract_, problem));
    const oracle::OracleCall call{&contract_, &inputs, problem.attrs, problem.symbols,
                                  problem.column};
    OPKIT_TRY(const auto expected, oracle::evaluate_bounded(call));
    Invocation invocation;
    invocation.contract = &contract_;
    invocation.soc = problem.soc;
    invocation.inputs = inputs;
    invocation.attrs = problem.attrs;
    OPKIT_TRY(const Execution fused, fused_.run(std::move(invocation)));
    OPKIT_TRY(const NodeByNode unfused, run_node_by_node(contract_, problem, inputs, singles_));
    for (size_t n = 0; n < contract_.reference.size(); ++n) {
      const auto plugin = unfused.plugins.find(contract_.reference[n].out[0]);
      if (plugin != unfused.plugins.end() && !plugin->second.empty())
        report_.nodes[n].second = plugin->second;
    }
    for (size_t p = 0; p < fused.outputs.size(); ++p) {
      if (fused.outputs[p].empty() || unfused.outputs[p].empty()) continue;
      if (unfused.outputs[p][0].elements() != expected[p][0].value.elements())
        return Error("OPK-VERIFY-070", "node by node the shape is another one", "");
      note(row.fused, fused.outputs[p][0], expected[p][0]);
      note(row.unfused, unfused.outputs[p][0], expected[p][0]);
    }
    return {};
  }

  const OpContract& contract_;
  Executor& fused_;
  SingleOps& singles_;
  UnfusedReport report_;
};

// Attributes of the contract's cases in turn: defaults such as a factor of 1 hide every rounding.
Problem with_telling_attrs(const OpContract& contract, Problem problem, size_t turn) {
  const Domain domain(contract, std::numeric_limits<int64_t>::max() / 4);
  for (size_t i = 0; i < contract.tests.size(); ++i) {
    const Case& one = contract.tests[(turn + i) % contract.tests.size()];
    const auto attrs = contract.complete(one.attrs);
    if (one.attrs.empty() || !attrs.ok() || !domain.accepts(problem.symbols, *attrs)) continue;
    problem.attrs = *attrs;
    break;
  }
  return problem;
}

}  // namespace

bool UnfusedReport::any_plugin() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& n) { return !n.second.empty(); });
}

UnfusedReport compare_unfused(const OpContract& contract, Executor& fused, SingleOps& singles,
                              const std::vector<PlannedProblem>& plan) {
  if (contract.reference.size() < 2) return {};
  UnfusedRun run(contract, fused, singles);
  size_t taken = 0;
  for (const PlannedProblem& planned : plan) {
    if (planned.origin.rfind("data class", 0) == 0)
      run.take(with_telling_attrs(contract, planned.problem, taken++));
  }
  return run.report();
}

}  // namespace opkit::verify
