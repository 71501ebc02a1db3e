// Comparisons as JSON and as tables.
#include <fmt/format.h>

#include "opkit/cli/models/comparison.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/measure/bench/samples.h"

namespace opkit::cli {
namespace {

using compare::BeforeAfter;
using compare::ComparedSide;
using compare::ModelledLaunch;

Json json_of(const ModelledLaunch& launch) {
  Json pipes = Json::object(), tensors = Json::array();
  for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe)
    if (launch.busy[pipe] > 0) pipes[core::timed_pipe_name(pipe)] = launch.busy[pipe];
  for (const core::TensorTraffic& tensor : launch.tensors)
    tensors.push_back({{"name", tensor.name}, {"read", tensor.read}, {"written", tensor.written}});
  const size_t busiest = launch.busiest();
  const double busy = launch.busy[busiest];
  return {{"op", launch.op},
          {"ns", launch.ns},
          {"gm_bytes", launch.gm_bytes},
          {"exact", launch.exact},
          {"busiest_pipe", busy > 0 ? core::timed_pipe_name(busiest) : ""},
          {"busy", busy},
          {"pipes", std::move(pipes)},
          {"tensors", std::move(tensors)}};
}

Json json_of(const ComparedSide& side, bool judged) {
  Json launches = Json::array();
  for (const ModelledLaunch& launch : side.launches) launches.push_back(json_of(launch));
  const measure::SampleSummary seconds = measure::summary_of(side.seconds);
  Json json{{"launches", std::move(launches)},
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

std::string pipe_text(const ModelledLaunch& launch) {
  const size_t busiest = launch.busiest();
  if (launch.busy[busiest] == 0) return "?";
  return fmt::format("{} {:.0f} %", core::timed_pipe_name(busiest), 100 * launch.busy[busiest]);
}

std::string launches_text(const BeforeAfter& all, const Palette& palette) {
  Table table({"side", "launch", ">modelled us", ">GM bytes", "busiest pipe"});
  const auto add = [&](const char* name, const ComparedSide& side) {
    for (const ModelledLaunch& launch : side.launches)
      table.add(
          {name, launch.op,
           fmt::format("{:.2f}{}", static_cast<double>(launch.ns) / 1e3, launch.exact ? "" : " ~"),
           std::to_string(launch.gm_bytes), pipe_text(launch)});
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

std::string not_measured_text(const std::string& soc) {
  return fmt::format("nothing was measured on {}: trust the ratio, not the microseconds\n", soc);
}

std::string model_text(const BeforeAfter& all, const std::string& soc) {
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
  if (!all.measured_chip) text += not_measured_text(soc);
  return text;
}

std::string machine_text(const BeforeAfter& all) {
  const measure::SampleSummary fused = measure::summary_of(all.fused.seconds);
  const measure::SampleSummary separate = measure::summary_of(all.separate.seconds);
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

std::string accuracy_text(const Compared& one) {
  if (one.judged_at.empty())
    return "accuracy: the reference takes too long at this size; name a smaller one with --shape\n";
  const compare::Distances &fused = one.all.fused.accuracy, &separate = one.all.separate.accuracy;
  std::string text = fmt::format(
      "accuracy{}, of the largest element: worst {:.2g} fused, {:.2g} separate; mean {:.2g}, "
      "{:.2g}\n",
      one.all.judged ? "" : " at " + one.judged_at, fused.worst, separate.worst, fused.mean,
      separate.mean);
  if (fused.differing + separate.differing > 0)
    text += fmt::format("NaN or infinite on one side only: {} elements fused, {} separate\n",
                        fused.differing, separate.differing);
  return text;
}

// Returns a row of the table of many ops.
std::vector<std::string> row_of(const Compared& one) {
  const BeforeAfter& all = one.all;
  const bool whole = all.separate.on_host.empty();
  const auto us = [](const ComparedSide& side) {
    return fmt::format("{:.2f}", static_cast<double>(side.ns()) / 1e3);
  };
  return {one.op,
          one.name,
          fmt::format("{}{}", all.separate.launches.size(), whole ? "" : " + host"),
          whole ? us(all.separate) : "?",
          us(all.fused),
          all.speedup() ? fmt::format("{:.2f}", *all.speedup()) : "?",
          whole ? percent_less(all.fused.gm_bytes(), all.separate.gm_bytes()) : "?",
          pipe_text(all.fused.launches.front()),
          one.judged_at.empty() ? "?"
                                : fmt::format("{:.1e}, {:.1e}", all.fused.accuracy.worst,
                                              all.separate.accuracy.worst)};
}

}  // namespace

Json json_of(const Compared& one) {
  const bool judged = !one.judged_at.empty();
  return {{"op", one.op},
          {"soc", one.soc},
          {"case", one.name},
          {"judged", judged},
          {"judged_at", one.judged_at},
          {"chip_is_measured", one.all.measured_chip},
          {"speedup", one.all.speedup() ? Json(*one.all.speedup()) : Json()},
          {"fused", json_of(one.all.fused, judged)},
          {"separate", json_of(one.all.separate, judged)}};
}

Json json_of(const ComparedOps& compared) {
  Json ops = Json::array(), failed = Json::array();
  for (const Compared& one : compared.ops) ops.push_back(json_of(one));
  for (const NotCompared& one : compared.failed)
    failed.push_back({{"op", one.op}, {"error", to_json(one.why)}});
  return {{"soc", compared.soc}, {"ops", std::move(ops)}, {"failed", std::move(failed)}};
}

std::string text_of(const Compared& one, const Palette& palette) {
  return fmt::format("{} on {}, {}\n", one.op, one.soc, one.name) +
         launches_text(one.all, palette) + model_text(one.all, one.soc) + machine_text(one.all) +
         accuracy_text(one);
}

std::string text_of(const ComparedOps& compared, const Palette& palette) {
  Table table({"op", "call", ">separate", ">us", ">fused us", ">x as fast", ">GM traffic",
               "busiest pipe", "worst errors"});
  bool measured = true;
  for (const Compared& one : compared.ops) {
    table.add(row_of(one));
    measured = measured && one.all.measured_chip;
  }
  std::string text = table.empty() ? "" : table.to_string(palette);
  for (const NotCompared& one : compared.failed)
    text += fmt::format("{}: {}\n", one.op, one.why.to_string());
  text += fmt::format("{} fused ops on {}, {} not compared\n", compared.ops.size(), compared.soc,
                      compared.failed.size());
  return measured ? text : text + not_measured_text(compared.soc);
}

}  // namespace opkit::cli
