// opkit compare: a fused op beside the separate ops that compute the same.
#include <fmt/format.h>

#include "opkit/cli/all_commands.h"
#include "opkit/cli/bench_case.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/generated.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/prepared_call.h"
#include "opkit/cli/progress.h"
#include "opkit/cli/samples.h"
#include "opkit/cli/table.h"
#include "opkit/compare/compare.h"
#include "opkit/execute/execution.h"

namespace opkit::cli {
namespace {

using compare::Comparison;
using compare::Launch;
using compare::Side;

Json json_of(const Side& side, bool judged) {
  Json launches = Json::array();
  for (const Launch& launch : side.launches)
    launches.push_back({{"op", launch.op},
                        {"ns", launch.ns},
                        {"gm_bytes", launch.gm_bytes},
                        {"exact", launch.exact},
                        {"busiest_pipe", launch.pipe},
                        {"busy", launch.busy}});
  const SampleSummary seconds = summary_of(side.seconds);
  Json json{{"launches", launches},
            {"on_host", side.on_host},
            {"ns", side.ns()},
            {"gm_bytes", side.gm_bytes()},
            {"mean_seconds", seconds.mean},
            {"p50_seconds", seconds.p50},
            {"p95_seconds", seconds.p95},
            {"cv", seconds.cv}};
  json["worst_error"] = judged ? Json(side.accuracy.worst) : Json();
  json["mean_error"] = judged ? Json(side.accuracy.mean) : Json();
  json["differing"] = judged ? Json(side.accuracy.differing) : Json();
  return json;
}

std::string launches_text(const Comparison& all, const Palette& palette) {
  Table table({"side", "launch", ">modelled us", ">GM bytes", "busiest pipe"});
  const auto add = [&](const char* name, const Side& side) {
    for (const Launch& launch : side.launches)
      table.add(
          {name, launch.op,
           fmt::format("{:.2f}{}", static_cast<double>(launch.ns) / 1e3, launch.exact ? "" : " ~"),
           std::to_string(launch.gm_bytes),
           launch.pipe.empty() ? "?" : fmt::format("{} {:.0f} %", launch.pipe, 100 * launch.busy)});
    for (const std::string& op : side.on_host) table.add({name, op + " (host)", "?", "?", "?"});
  };
  add("fused", all.fused);
  add("separate", all.separate);
  return table.to_string(palette);
}

std::string percent_less(uint64_t now, uint64_t before) {
  if (before == 0) return "?";
  const double change = 100.0 * (static_cast<double>(now) / static_cast<double>(before) - 1);
  return fmt::format("{:+.0f} %", change);
}

std::string model_text(const Comparison& all, const std::string& soc) {
  if (!all.separate.on_host.empty())
    return fmt::format(
        "no installed op takes {} of the separate operators: what they would cost is not "
        "modelled\n",
        all.separate.on_host.size());
  std::string text = fmt::format(
      "modelled: {:.2f} us in place of {:.2f} us, {:.2f} x as fast; {} launch in place of {}; GM "
      "traffic {}\n",
      static_cast<double>(all.fused.ns()) / 1e3, static_cast<double>(all.separate.ns()) / 1e3,
      all.speedup().value_or(0), all.fused.launches.size(), all.separate.launches.size(),
      percent_less(all.fused.gm_bytes(), all.separate.gm_bytes()));
  if (!all.measured_chip)
    text += fmt::format("nothing was measured on {}: trust the ratio, not the microseconds\n", soc);
  return text;
}

std::string machine_text(const Comparison& all) {
  const SampleSummary fused = summary_of(all.fused.seconds);
  const SampleSummary separate = summary_of(all.separate.seconds);
  if (!all.separate.on_host.empty())
    return fmt::format(
        "this machine: p50 {:.4f} ms; the separate side runs operators on the host\n",
        fused.p50 * 1e3);
  std::string text = fmt::format(
      "this machine: p50 {:.4f} ms in place of {:.4f} ms, {:.2f} x as fast (mean {:.4f}, {:.4f}; "
      "p95 {:.4f}, {:.4f}; CV {:.2f}, {:.2f})\n",
      fused.p50 * 1e3, separate.p50 * 1e3, fused.p50 > 0 ? separate.p50 / fused.p50 : 0,
      fused.mean * 1e3, separate.mean * 1e3, fused.p95 * 1e3, separate.p95 * 1e3, fused.cv,
      separate.cv);
  if (fused.noisy() || separate.noisy())
    text += "CV above 0.15: something else ran beside; compare p50, or measure again\n";
  return text;
}

std::string accuracy_text(const Comparison& all) {
  if (!all.judged)
    return "accuracy: the reference takes too long at this size; name a smaller one with --shape\n";
  std::string text = fmt::format(
      "accuracy, of the largest element: worst {:.2g} fused, {:.2g} separate; mean {:.2g}, "
      "{:.2g}\n",
      all.fused.accuracy.worst, all.separate.accuracy.worst, all.fused.accuracy.mean,
      all.separate.accuracy.mean);
  if (all.fused.accuracy.differing + all.separate.accuracy.differing > 0)
    text += fmt::format("NaN or infinite on one side only: {} elements fused, {} separate\n",
                        all.fused.accuracy.differing, all.separate.accuracy.differing);
  return text;
}

// The call that --shape and its like describe, else a case of the contract's bench.
Result<CallOptions> options_of(const ChosenOp& chosen, const Arguments& arguments,
                               std::string& name) {
  const OpContract& contract = chosen.contract();
  OPKIT_TRY(CallOptions said, read_call_options(contract, arguments));
  name = "as asked for";
  if (says_inputs(arguments)) return said;
  OPKIT_TRY(const Case* one, bench_case(contract, arguments.integer("--case")));
  name = text_of_case(contract, *one);
  const bool typed = !said.dtypes.empty() || said.any_dtype.has_value();
  size_t column = 0;
  if (typed) {
    OPKIT_TRY(column, pick_column(contract, said));
  }
  OPKIT_TRY(CallOptions options, options_of_case(contract, *one, column));
  for (const auto& [attr, value] : said.attrs) options.attrs[attr] = value;
  return options;
}

Outcome run_compare(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const ChosenOp chosen, choose_op_and_soc(arguments.get("op"), arguments,
                                                     open_options(arguments, console), console));
  std::string name;
  OPKIT_TRY(const CallOptions said, options_of(chosen, arguments, name));
  const auto threads = static_cast<unsigned>(arguments.integer("--threads"));
  OPKIT_TRY(Invocation call, invocation_of(chosen, said, uniform(seed_of(arguments)), threads));
  fill_inputs(call);
  const registry::Registry registry = open_registry(arguments, console);
  const InstalledOps ops = InstalledOps::open(registry, chosen.soc);
  compare::Options options;
  options.warm = static_cast<size_t>(arguments.integer("--warm"));
  options.samples = static_cast<size_t>(arguments.integer("--samples"));
  options.cost_cache = registry::default_cache_dir() / "costs";
  OPKIT_TRY(const Comparison all, compare::compare(call, chosen.executor(), ops, options));
  console.show({{"op", chosen.contract().op},
                {"soc", chosen.soc},
                {"case", name},
                {"judged", all.judged},
                {"chip_is_measured", all.measured_chip},
                {"speedup", all.speedup() ? Json(*all.speedup()) : Json()},
                {"fused", json_of(all.fused, all.judged)},
                {"separate", json_of(all.separate, all.judged)}},
               fmt::format("{} on {}, {}\n", chosen.contract().op, chosen.soc, name) +
                   launches_text(all, console.out()) + model_text(all, chosen.soc) +
                   machine_text(all) + accuracy_text(all));
  return kOk;
}

std::vector<Flag> compare_flags() {
  std::vector<Flag> flags = call_flags();
  for (Flag& flag : worker_flags(Worker::kAlways)) flags.push_back(std::move(flag));
  Flag one = case_flag("which of the contract's bench shapes");
  one.preset = "1";
  flags.push_back(std::move(one));
  for (Flag& flag : sample_flags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .summary = "a fused op beside the separate ops that compute the same",
      .details =
          "Both sides get the same data on the same chip: launches, traffic through global "
          "memory,\n"
          "modelled time, time of this machine, and distance from the reference. The separate "
          "side\n"
          "is the cheapest choice of installed ops of one operator each.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a project",
                       .complete = Complete::kOp}},
      .flags = compare_flags(),
      .examples = {{"opkit compare LayerNormGelu", "at the first of its bench shapes"},
                   {"opkit compare AddRelu --soc Ascend310B1 --shape x=256 --shape y=256 --json",
                    "one call, for scripts"}},
      .run = run_compare,
  };
}

}  // namespace opkit::cli
