#include "opkit/call/execute/execution.h"

#include <utility>

#include "opkit/call/execute/finding_error.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/core/modes/checked_codes.h"

namespace opkit {

Execution execution_of(const CallPlan& plan) {
  Execution execution;
  execution.column = plan.binding.column;
  execution.tiling_key = plan.tiling.key;
  execution.block_dim = plan.tiling.block_dim;
  execution.tiling_data = plan.tiling.data;
  execution.workspaces = plan.tiling.workspaces;
  return execution;
}

void fill_inputs(Invocation& invocation) {
  if (!invocation.fill) return;
  for (size_t p = 0; p < invocation.inputs.size(); ++p) {
    for (size_t t = 0; t < invocation.inputs[p].size(); ++t) {
      Tensor& input = invocation.inputs[p][t];
      if (!input.is_reserved()) continue;
      const Format format = input.desc().format;
      Tensor zeros(input.dtype(), input.shape(), input.desc().name);
      zeros.desc().format = format;
      invocation.fill(p, t, zeros);
      input = std::move(zeros);
    }
  }
}

std::vector<std::vector<Padding>> paddings_of(const Ports& stored,
                                              const std::vector<PortLayouts>& layouts) {
  std::vector<std::vector<Padding>> all(stored.size());
  for (size_t p = 0; p < stored.size(); ++p) {
    for (size_t i = 0; i < stored[p].size(); ++i)
      all[p].push_back(padding_of(layouts[p][i], stored[p][i]));
  }
  return all;
}

WatchOptions run_options(bool checked) {
  WatchOptions options;
  options.mode = checked ? Mode::kChecked : Mode::kFast;
  options.checked.needless_sync = false;  // advice, not a mistake
  return options;
}

namespace {

// What another core would have written in time, nobody has written: then the lack of order is the
// cause, not the value that was read.
const core::Finding& cause_of(const core::Finding& first,
                              const std::vector<core::Finding>& findings) {
  if (first.code != core::kUnwrittenGm || !first.at.pc) return first;
  for (const core::Finding& finding : findings) {
    const bool same_read = finding.at.pc == first.at.pc || finding.other.pc == first.at.pc;
    if (finding.code == core::kRaceOfCores && same_read) return finding;
  }
  return first;
}

}  // namespace

Status first_mistake(const Watched& watched, const std::string& op,
                     const std::function<std::string(const void*)>& place) {
  for (const core::Finding& finding : watched.checked.findings) {
    if (!finding.warning) return error_of(cause_of(finding, watched.checked.findings), op, place);
  }
  if (watched.report.ok()) return {};
  const core::Fault& fault = watched.report.faults.front();
  const std::string where = place(fault.pc);
  Error error = to_error(fault, op);
  return where.empty() ? error : std::move(error).with(where);
}

Status fault_of(const Observation& seen, Mode mode, const std::string& op) {
  if (mode == Mode::kChecked || seen.watched.report.ok()) return {};
  return to_error(seen.watched.report.faults.front(), op);
}

}  // namespace opkit
