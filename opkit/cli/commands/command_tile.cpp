#include <fmt/format.h>

#include "opkit/call/execute/execution.h"
#include "opkit/call/plan/aicpu.h"
#include "opkit/call/tiling/tiling_fields.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/observation_text.h"
#include "opkit/soc/soc_names.h"

namespace opkit::cli {
namespace {

// "0000  00 01 ...  |.@..|": sixteen bytes a line.
std::string hexdump(const std::vector<std::byte>& bytes) {
  constexpr size_t kRow = 16;
  std::string text;
  for (size_t start = 0; start < bytes.size(); start += kRow) {
    std::string hex, plain;
    for (size_t i = start; i < std::min(start + kRow, bytes.size()); ++i) {
      const auto value = std::to_integer<unsigned>(bytes[i]);
      hex += fmt::format("{:02x}{}", value, i % 8 == 7 ? "  " : " ");
      plain += value >= 0x20 && value < 0x7f ? static_cast<char>(value) : '.';
    }
    text += fmt::format("  {:04x}  {:<50}|{}|\n", start, hex, plain);
  }
  return text;
}

std::string hex_of(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

// Counts the bytes of inputs, outputs and workspace, as they are stored.
uint64_t bytes_of(const CallPlan& call) {
  uint64_t bytes = 0;
  for (const CallBuffer& buffer : call.buffers()) bytes += buffer.bytes;
  return bytes;
}

Json log_json(const TilingPlan& plan) {
  Json lines = Json::array();
  for (const AuthorLog::Line& line : plan.log) {
    lines.push_back({{"severity", line.severity}, {"code", line.code}, {"text", line.text}});
  }
  return lines;
}

Json json_of(const CallPlan& call, const std::string& soc) {
  const TilingPlan& plan = call.tiling;
  Json json{{"op", call.contract->op},
            {"soc", soc},
            {"column", call.contract->column_name(call.binding.column)},
            {"block_dim", plan.block_dim},
            {"tiling_key", plan.key},
            {"kernel", plan.kernel->name},
            {"tiling_bytes", plan.data.size()},
            {"tiling_data", hex_of(plan.data)},
            {"schedule_mode", plan.schedule_mode},
            {"local_memory_size", plan.local_memory_size},
            {"need_atomic", plan.need_atomic}};
  json["workspaces"] = plan.workspaces;
  json["workspace_bytes"] = plan.workspace_bytes();
  json["buffer_bytes"] = bytes_of(call);
  json["tiling_fields"] = Json::object();
  for (const TilingFieldValue& field : tiling_fields(*call.op, plan))
    json["tiling_fields"][field.name] =
        field.is_array ? Json(field.values) : Json(field.values.front());
  json["log"] = log_json(plan);
  return json;
}

std::string told(const CallPlan& call, const Palette& palette) {
  const TilingPlan& plan = call.tiling;
  const uint32_t resident = resident_blocks(to_abi(*call.soc), plan.kernel->task_type);
  Table table({"what", "value"});
  table.add({"SoC", call.soc->name});
  table.add({"column", call.contract->column_name(call.binding.column)});
  table.add({"block dim", fmt::format("{} ({} run at a time)", plan.block_dim, resident)});
  table.add({"tiling key", std::to_string(plan.key)});
  table.add({"kernel", plan.kernel->name});
  table.add({"tensors", fmt::format("{} bytes", bytes_of(call))});
  table.add(
      {"workspace", fmt::format("{} bytes in {}", plan.workspace_bytes(), plan.workspaces.size())});
  table.add({"tiling data", fmt::format("{} bytes", plan.data.size())});
  std::string text =
      palette.paint(Style::kBold, call.contract->op) + "\n" + table.to_string(palette);
  for (const TilingFieldValue& field : tiling_fields(*call.op, plan))
    text += fmt::format("  {} = {}\n", field.name, fmt::join(field.values, ", "));
  text += hexdump(plan.data);
  for (const AuthorLog::Line& line : plan.log) text += "log: " + line.text + "\n";
  return text;
}

Json json_of(const PlanCost& cost) {
  Json json{{"cycles", cost.cycles},
            {"task_ns", cost.task_ns},
            {"instructions", cost.instructions},
            {"exact", cost.exact},
            {"watched_share", cost.watched_share},
            {"spread", cost.spread}};
  return json;
}

std::string told(const PlanCost& cost) {
  std::string text = fmt::format("modelled task time {:.3f} us ({} cycles)",
                                 static_cast<double>(cost.task_ns) / 1e3, cost.cycles);
  if (cost.exact) return text + fmt::format(", from all {} instructions\n", cost.instructions);
  return text + fmt::format(
                    ", estimated from the first {} instructions, which write {:.3g} % of "
                    "the outputs; pace changes by {:.1f} % between their halves\n",
                    cost.instructions, cost.watched_share * 100, cost.spread * 100);
}

// On generated values, for a kernel whose way depends on them.
Result<PlanCost> cost_on_data(const ChosenOp& chosen, const Arguments& arguments, Error why,
                              Console& console) {
  why.severity = Severity::kInfo;
  why.action = "the inputs without a file get values that --seed chooses";
  console.note(why);
  OPKIT_TRY(Invocation call, invocation_of(chosen, arguments, 1));
  WatchOptions options;
  options.mode = Mode::kTimed;
  OPKIT_TRY(Observation seen, chosen.executor().watch(std::move(call), options));
  OPKIT_CHECK(fault_of(seen, options.mode, chosen.contract().op));
  PlanCost cost;
  cost.cycles = seen.watched.timed->cycles;
  cost.task_ns = seen.watched.timed->task_ns;
  for (const auto& [what, totals] : seen.watched.timed->instructions)
    cost.instructions += totals.count;
  cost.timed = std::move(seen.watched.timed);
  return cost;
}

// Before a launch is tried: the text is that of modes, which tile does not have.
Status check_cost(const CallPlan& plan) {
  const Status modelled = check_mode(plan, Mode::kTimed);
  if (modelled.ok()) return {};
  Error error = modelled.error();
  error.action = "leave out --cost; opkit bench measures this host";
  return error;
}

Outcome run_tile(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const ChosenOp chosen, choose_op_and_soc(arguments.get("op"), arguments,
                                                     open_options(arguments, console), console));
  OPKIT_TRY(const SharedPlan plan, plan_of(chosen, arguments));
  Json json = json_of(*plan, chosen.soc);
  json["runs"] = chosen.op->runs;
  std::string text = told(*plan, console.out());
  if (arguments.has("--cost")) {
    OPKIT_CHECK(check_cost(*plan));
    auto cost = chosen.executor().cost(plan);
    if (!cost.ok() && cost.error().is(Cause::kReadsData))
      cost = cost_on_data(chosen, arguments, std::move(cost).error(), console);
    if (!cost.ok()) return std::move(cost).error();
    json["cost"] = json_of(*cost);
    text += told(*cost);
  }
  console.show(json, text);
  return kOk;
}

}  // namespace

Command tile_command() {
  std::vector<Flag> flags = {{.name = "--soc",
                              .value = "NAME",
                              .help = "the chip",
                              .complete = Complete::kSoc,
                              .preset = default_soc()}};
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back(input_flag());
  flags.push_back(output_shape_flag());
  flags.push_back({.name = "--cost",
                   .value = "",
                   .help = "the launch's modelled time, too; on chips with measured figures"});
  flags.push_back({.name = "--seed",
                   .value = "N",
                   .help = "of the values of inputs without a file, where --cost needs them",
                   .integer = true,
                   .preset = "1"});
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  return {
      .name = "tile",
      .summary = "what the op's tiling function answers for a shape",
      .details =
          "Calls the author's tiling function and checks the answer: block dim, tiling key,\n"
          "workspace and the bytes of the tiling data. No tensor is made, so any shape will do.\n"
          "--cost launches the kernel without arithmetic; long launches are estimated from their\n"
          "first part, and a kernel that reads its data to decide runs on generated values.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples =
          {{"opkit tile AddRelu --shape x=1000 --shape y=1000", "on Ascend910B1"},
           {"opkit tile AddRelu --shape x=2147483647 --shape y=2147483647 --cost",
            "larger than many hosts: what is decided, and how long it would take"},
           {"opkit tile AddRelu --soc Ascend310B1 --shape x=1000 --shape y=1000 --dtype float16",
            "on another chip, with another dtype"}},
      .run = run_tile,
  };
}

}  // namespace opkit::cli
