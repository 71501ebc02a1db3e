#include "opkit/cli/models/model_comparison.h"

#include <fmt/format.h>

#include "opkit/atc/compile/input_shapes.h"
#include "opkit/base/counted.h"
#include "opkit/cli/models/imported_model.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/fusion/compare/compare_model.h"
#include "registry/probe.h"

namespace opkit::cli {
namespace {

using compare::ComparedCover;
using compare::FusedModelComparison;
using compare::FusedPlace;
using compare::ModelledLaunch;

std::string micros_of(uint64_t ns) { return fmt::format("{:.2f}", static_cast<double>(ns) / 1e3); }

std::string busiest_text(const ModelledLaunch& launch) {
  const size_t busiest = launch.busiest();
  if (launch.busy[busiest] == 0) return "?";
  return fmt::format("{} {:.0f} %", core::timed_pipe_name(busiest), 100 * launch.busy[busiest]);
}

std::string cover_line(const char* name, const ComparedCover& cover) {
  return fmt::format(
      "{}: {} us, {}, {} of layout, {} bytes{}\n", name, micros_of(cover.ns),
      counted(cover.kernels, "kernel"), counted(cover.turns, "change"), cover.bytes,
      cover.on_host > 0 ? fmt::format("; {} on the host, not modelled", cover.on_host) : "");
}

void add_rows(const FusedPlace& place, Table& table) {
  const std::string verdict = !place.on_host.empty() ? "not compared"
                              : place.is_slower()    ? "slower"
                                                     : "faster";
  table.add({place.chosen ? "chosen" : "declined", place.op, place.nodes, micros_of(place.fused.ns),
             std::to_string(place.fused.gm_bytes), busiest_text(place.fused), verdict});
  for (const ModelledLaunch& launch : place.separate)
    table.add({"", "  " + launch.op, "", micros_of(launch.ns), std::to_string(launch.gm_bytes),
               busiest_text(launch), ""});
  for (const std::string& op : place.on_host)
    table.add({"", "  " + op + " (host)", "", "?", "?", "?", ""});
}

// Returns the sentence for an op that loses, once for each op.
std::string advice_text(const FusedModelComparison& all) {
  std::string text, last;
  for (const FusedPlace& place : all.places) {
    if (!place.is_slower() || place.op == last) continue;
    last = place.op;
    text += fmt::format("{} at {} is slower than separate ops by {} us: {}; {}\n", place.op,
                        place.nodes, micros_of(place.fused.ns - place.separate_ns()),
                        place.bottleneck(), place.advice());
  }
  return text.empty() ? "no fused op is slower than the separate ones\n" : text;
}

std::string text_of(const FusedModelComparison& all, size_t most, const Palette& palette) {
  std::string text = fmt::format("{} on {}\n", all.model, all.soc);
  for (const Error& error : all.wrong) text += "correctness first: " + error.to_string() + "\n";
  text += all.compared + cover_line("fused", all.fused) + cover_line("plain", all.plain);
  Table table({"cover", "op", "nodes", ">modelled us", ">GM bytes", "busiest pipe", "fused is"});
  for (size_t p = 0; p < all.places.size() && p < most; ++p) add_rows(all.places[p], table);
  text += table.to_string(palette);
  if (all.places.size() > most)
    text += fmt::format("{} more places: --top {}\n", all.places.size() - most, all.places.size());
  text += advice_text(all);
  if (!all.measured_chip)
    text +=
        fmt::format("nothing was measured on {}: trust the ratio, not the microseconds\n", all.soc);
  return text;
}

Json comparison_json(const ModelledLaunch& launch) {
  Json pipes = Json::object();
  for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe)
    if (launch.busy[pipe] > 0) pipes[core::timed_pipe_name(pipe)] = launch.busy[pipe];
  return {{"op", launch.op},
          {"ns", launch.ns},
          {"gm_bytes", launch.gm_bytes},
          {"exact", launch.exact},
          {"pipes", std::move(pipes)}};
}

Json comparison_json(const ComparedCover& cover) {
  return {{"ns", cover.ns},
          {"bytes", cover.bytes},
          {"kernels", cover.kernels},
          {"layout_changes", cover.turns},
          {"on_host", cover.on_host}};
}

Json comparison_json(const FusedModelComparison& all) {
  Json places = Json::array(), wrong = Json::array();
  for (const Error& error : all.wrong)
    wrong.push_back({{"code", error.code}, {"message", error.message}});
  for (const FusedPlace& place : all.places) {
    Json separate = Json::array();
    for (const ModelledLaunch& launch : place.separate) separate.push_back(comparison_json(launch));
    places.push_back({{"op", place.op},
                      {"nodes", place.nodes},
                      {"chosen", place.chosen},
                      {"slower", place.is_slower()},
                      {"fused", comparison_json(place.fused)},
                      {"separate", std::move(separate)},
                      {"separate_ns", place.separate_ns()},
                      {"on_host", place.on_host},
                      {"bottleneck", place.bottleneck()},
                      {"advice", place.is_slower() ? Json(place.advice()) : Json()}});
  }
  return {{"model", all.model},
          {"soc", all.soc},
          {"chip_is_measured", all.measured_chip},
          {"wrong", std::move(wrong)},
          {"compared", all.compared},
          {"fused", comparison_json(all.fused)},
          {"plain", comparison_json(all.plain)},
          {"places", std::move(places)}};
}

Status check_alone(const Arguments& arguments) {
  for (const char* word : {"op", "--all", "--shape", "--in", "--attr", "--format", "--out-shape"}) {
    if (!arguments.has(word)) continue;
    return Error("OPK-CLI-003", fmt::format("{} and --model do not go together", word),
                 "leave one of them out");
  }
  return {};
}

}  // namespace

std::vector<Flag> model_comparison_flags() {
  return {{.name = "--model",
           .value = "FILE",
           .help = "every fused op of this ONNX model beside the separate ones at its place",
           .complete = Complete::kFile},
          {.name = "--input_shape",
           .value = "NAME:DIMS;...",
           .help = "with --model: dims of inputs that it leaves open"},
          {.name = "--top",
           .value = "N",
           .help = "with --model: how many places are shown",
           .integer = true,
           .least = 1,
           .most = 1000000,
           .preset = "10"}};
}

Outcome compare_whole_model(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_alone(arguments));
  ProgressLine progress(console, "compare");
  compare::ModelCompareOptions options;
  OPKIT_TRY(options.compilation.candidates.soc, checked_soc(arguments.get("--soc"), console));
  options.compilation.cost_cache = registry::default_cache_dir() / "costs";
  options.step = [&](const std::string& what) { progress.step(what); };
  OPKIT_TRY(const auto shapes, compile::parse_input_shapes(arguments.get("--input_shape")));
  const registry::Registry registry = open_registry(arguments, console);
  const std::string& soc = options.compilation.candidates.soc;
  const InstalledOps ops = open_ops(registry, soc, arguments, console);
  OPKIT_TRY(const graph::Graph graph,
            imported_model(arguments.get("--model"), shapes, arguments, ops, soc));
  OPKIT_TRY(const FusedModelComparison all, compare::compare_model(graph, ops, options));
  progress.finish();
  const auto most = static_cast<size_t>(arguments.integer("--top"));
  console.show(comparison_json(all), text_of(all, most, console.out()));
  return all.wrong.empty() ? kOk : kFailed;
}

}  // namespace opkit::cli
