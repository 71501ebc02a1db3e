#include <fmt/format.h>

#include "opkit/cli/all_commands.h"
#include "opkit/cli/call_options.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/table.h"
#include "opkit/cli/tensor_source.h"
#include "opkit/runtime/op_runner.h"

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

Json log_json(const TilingPlan& plan) {
  Json lines = Json::array();
  for (const AuthorLog::Line& line : plan.log) {
    lines.push_back({{"severity", line.severity}, {"code", line.code}, {"text", line.text}});
  }
  return lines;
}

Json json_of(const PreparedRun& prepared, const LoadedOp& op, const std::string& soc) {
  const TilingPlan& plan = prepared.plan();
  Json json{{"op", op.contract.op},
            {"soc", soc},
            {"column", op.contract.column_name(prepared.binding().column)},
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
  json["log"] = log_json(plan);
  return json;
}

std::string told(const PreparedRun& prepared, const LoadedOp& op, const OpRunner& runner,
                 const opk_soc_v1& abi, const Palette& palette) {
  const TilingPlan& plan = prepared.plan();
  const uint32_t resident = resident_blocks(abi, plan.kernel->task_type);
  Table table({"what", "value"});
  table.add({"SoC", runner.soc().name});
  table.add({"column", op.contract.column_name(prepared.binding().column)});
  table.add({"block dim", fmt::format("{} ({} run at a time)", plan.block_dim, resident)});
  table.add({"tiling key", std::to_string(plan.key)});
  table.add({"kernel", plan.kernel->name});
  table.add(
      {"workspace", fmt::format("{} bytes in {}", plan.workspace_bytes(), plan.workspaces.size())});
  table.add({"tiling data", fmt::format("{} bytes", plan.data.size())});
  std::string text = palette.paint(Style::kBold, op.contract.op) + "\n" + table.to_string(palette);
  text += hexdump(plan.data);
  for (const AuthorLog::Line& line : plan.log) text += "log: " + line.text + "\n";
  return text;
}

Outcome run(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::string soc, checked_soc(arguments.get("--soc"), console));
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const LoadedOp op, choose_op(arguments.get("op"), soc, arguments, console));
  OPKIT_TRY(const CallOptions options, read_call_options(op.contract, arguments));
  OPKIT_TRY(auto inputs, tensors_of(op.contract, options));
  OpRunner runner(*match.spec, 1);
  OPKIT_TRY(const PreparedRun prepared,
            runner.prepare({.contract = &op.contract,
                            .op = &op.plugin.op(),
                            .inputs = std::move(inputs),
                            .attrs = options.attrs,
                            .output_shapes = said_outputs(op.contract, options)}));
  console.show(json_of(prepared, op, soc),
               told(prepared, op, runner, to_abi(*match.spec), console.out()));
  return kOk;
}

}  // namespace

Command tile_command() {
  std::vector<Flag> flags = {{.name = "--soc",
                              .value = "NAME",
                              .help = "the chip",
                              .complete = Complete::kSoc,
                              .preset = "Ascend910B1"}};
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back(input_flag());
  flags.push_back(output_shape_flag());
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  return {
      .name = "tile",
      .summary = "what the op's tiling function answers for a shape",
      .details =
          "Calls the author's tiling function and checks the answer: block dim, tiling key,\n"
          "workspace and the bytes of the tiling data.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp}},
      .flags = std::move(flags),
      .examples =
          {{"opkit tile AddRelu --shape x=1000 --shape y=1000", "on Ascend910B1"},
           {"opkit tile AddRelu --soc Ascend310B1 --shape x=1000 --shape y=1000 --dtype float16",
            "on another chip, with another dtype"}},
      .run = run,
  };
}

}  // namespace opkit::cli
