#include "opkit/verify/plugin_executor.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "opkit/core/modes/checked.h"
#include "opkit/verify/finding_error.h"
#include "opkit/verify/plugin_trace.h"

namespace opkit::verify {

std::string PluginExecutor::place(const void* pc) {
  const auto line = pc == nullptr ? std::nullopt : lines_.find(pc);
  if (!line) return {};
  const std::filesystem::path file = line->file;
  return fmt::format("{}:{}", (file.parent_path().filename() / file.filename()).string(),
                     line->line);
}

// What the engine refused, or the first mistake that the Checked mode saw.
Status PluginExecutor::launch(PreparedRun& prepared, const std::string& op, bool checked,
                              uint64_t seed) {
  const auto fault_of = [&](const core::LaunchReport& report) -> Status {
    if (report.ok()) return {};
    const core::Fault& fault = report.faults.front();
    const std::string where = place(fault.pc);
    Error error = to_error(fault, op);
    return where.empty() ? error : std::move(error).with(where);
  };
  if (!checked) return fault_of(prepared.launch(nullptr, seed));
  core::CheckedOptions options;
  options.needless_sync = false;  // advice, not a mistake
  core::Checked observer(options);
  const core::LaunchReport report = prepared.launch(&observer, seed);
  const core::CheckedReport seen = observer.take_report(report);
  for (const core::Finding& finding : seen.findings) {
    if (finding.warning) continue;
    return error_of(finding, op, [this](const void* pc) { return place(pc); });
  }
  return fault_of(report);
}

namespace {

// Ranges whose bytes no dry run computes: everything but the tiling, lists of tensors and inputs
// that the host has filled.
std::vector<core::GmRange> unbacked(const PreparedRun& prepared) {
  std::vector<core::GmRange> ranges;
  const auto reserved = [](const Ports& ports, const uint8_t* base) {
    for (const auto& port : ports) {
      for (const Tensor& tensor : port) {
        if (tensor.is_reserved() && reinterpret_cast<const uint8_t*>(tensor.data()) == base)
          return true;
      }
    }
    return false;
  };
  for (const core::GmRange& range : prepared.gm()) {
    if (std::string_view(range.name) == "workspace" || reserved(prepared.inputs(), range.base) ||
        reserved(prepared.outputs(), range.base))
      ranges.push_back(range);
  }
  return ranges;
}

std::vector<std::vector<Padding>> paddings(const Ports& stored,
                                           const std::vector<PortLayouts>& layouts) {
  std::vector<std::vector<Padding>> all(stored.size());
  for (size_t p = 0; p < stored.size(); ++p) {
    for (size_t i = 0; i < stored[p].size(); ++i)
      all[p].push_back(padding_of(layouts[p][i], stored[p][i]));
  }
  return all;
}

}  // namespace

Result<OpRunner*> PluginExecutor::runner(const std::string& soc, unsigned threads) {
  std::unique_ptr<OpRunner>& runner = runners_[{soc, threads}];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(soc));
    runner = std::make_unique<OpRunner>(*match.spec, threads);
  }
  return runner.get();
}

Result<PreparedRun> PluginExecutor::prepare(Invocation invocation) {
  OPKIT_TRY(OpRunner * runner, this->runner(invocation.soc, invocation.threads));
  RunRequest request;
  request.contract = invocation.contract;
  request.op = op_;
  request.inputs = std::move(invocation.inputs);
  request.attrs = std::move(invocation.attrs);
  OPKIT_TRY(PreparedRun prepared, runner->prepare(std::move(request)));
  prepared.poison();
  return prepared;
}

Result<Execution> PluginExecutor::run(Invocation invocation) {
  const std::string op = invocation.contract->op;
  const bool checked = invocation.checked;
  const uint64_t seed = invocation.schedule_seed ? invocation.schedule_seed : schedule_seed_;
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(invocation)));
  OPKIT_CHECK(launch(prepared, op, checked, seed));
  Execution execution;
  execution.outputs = prepared.origin_outputs();
  execution.inputs = prepared.origin_inputs();
  execution.input_padding = paddings(prepared.inputs(), prepared.input_layouts());
  execution.output_padding = paddings(prepared.outputs(), prepared.output_layouts());
  execution.column = prepared.binding().column;
  execution.tiling_key = prepared.plan().key;
  execution.block_dim = prepared.plan().block_dim;
  execution.tiling_data = prepared.plan().data;
  execution.workspaces = prepared.plan().workspaces;
  return execution;
}

std::set<uint64_t> PluginExecutor::tiling_keys() const {
  std::set<uint64_t> keys;
  for (uint32_t i = 0; i < op_->kernel_count; ++i) {
    if (op_->kernels[i]->tiling_key != OPK_ANY_TILING_KEY) keys.insert(op_->kernels[i]->tiling_key);
  }
  return keys;
}

// Enough for any tile: memories of 16 MiB and more.
Result<OpRunner*> PluginExecutor::roomy_runner(const std::string& soc) {
  constexpr uint32_t kFactor = 64;
  std::unique_ptr<OpRunner>& runner = roomy_[soc];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(soc));
    runner = std::make_unique<OpRunner>(*match.spec, 1, kFactor);
  }
  return runner.get();
}

Result<CoverRun> PluginExecutor::cover(Invocation invocation, CoverKind kind,
                                       core::DryAnswer answer) {
  OPKIT_TRY(OpRunner * runner, kind == CoverKind::kRoomy ? roomy_runner(invocation.soc)
                                                         : this->runner(invocation.soc, 1));
  RunRequest request;
  request.contract = invocation.contract;
  request.op = op_;
  request.inputs = std::move(invocation.inputs);
  request.attrs = std::move(invocation.attrs);
  request.dry = kind != CoverKind::kReal;
  const bool dry = request.dry;
  OPKIT_TRY(PreparedRun prepared, runner->prepare(std::move(request)));
  if (!dry) prepared.poison();
  core::CoverOptions options;
  options.dry = dry;
  options.answer = answer;
  if (dry) options.unbacked = unbacked(prepared);
  core::Cover observer(std::move(options));
  CoverRun run;
  run.faults = prepared.launch(&observer).faults;
  run.report = observer.take_report();
  run.outputs = prepared.outputs();
  run.layouts = prepared.output_layouts();
  run.column = prepared.binding().column;
  run.tiling_key = prepared.plan().key;
  run.block_dim = prepared.plan().block_dim;
  run.tiling_data = prepared.plan().data;
  return run;
}

std::vector<std::string> PluginExecutor::writers_of(Invocation invocation, size_t port,
                                                    size_t tensor, int64_t element) {
  auto prepared = prepare(std::move(invocation));
  if (!prepared.ok()) return {};
  const Tensor& output = prepared->outputs().at(port).at(tensor);
  const int64_t stored_at = prepared->output_layouts().at(port).at(tensor).place_of(element);
  const int64_t elements = std::max<int64_t>(output.elements(), 1);
  const uint64_t bytes =
      std::max<uint64_t>(output.size_bytes() / static_cast<uint64_t>(elements), 1);
  const auto* base = reinterpret_cast<const uint8_t*>(output.data());
  WriteTracer tracer(base + output.size_bytes() * static_cast<uint64_t>(stored_at) /
                                static_cast<uint64_t>(elements),
                     bytes);
  prepared->launch(&tracer);
  std::vector<std::string> told;
  for (const WriteEvent& event : tracer.events()) {
    const std::string where = place(event.pc);
    told.push_back(fmt::format("written by block {}{}: {}{}{}", event.block,
                               event.sub_block >= 0 ? fmt::format(".{}", event.sub_block) : "",
                               event.instruction, where.empty() ? "" : " at " + where,
                               fmt::format(", time {} there", event.occurrence)));
  }
  if (told.empty()) told.emplace_back("no instruction wrote it");
  return told;
}

}  // namespace opkit::verify
