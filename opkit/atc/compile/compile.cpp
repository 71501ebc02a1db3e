#include "opkit/atc/compile/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "opkit/atc/compile/choose_cover.h"
#include "opkit/atc/compile/in_place.h"
#include "opkit/atc/compile/installed_calls.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/atc/compile/rephrase_nodes.h"
#include "opkit/base/suggest.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::compile {
namespace {

Error no_change(Precision mode, const PrecisionChanges& changes) {
  std::vector<std::string> ops;
  for (const auto& [op, count] : changes.unserved) ops.push_back(op);
  const std::string_view type = name_of(type_of(mode));
  Error error("OPK-ATC-007",
              fmt::format("no node computes in {}, which the precision mode asks for: no installed "
                          "op takes {} in it",
                          type, fmt::join(ops, ", ")),
              fmt::format("leave the mode out, choose one of another type, or install ops with "
                          "columns of {}",
                          type));
  error.severity = Severity::kWarning;
  return error;
}

// What was folded was folded before the types changed, so that weights are rounded once; the
// unfolded graph has the model's types and is of no use any more.
Status convert(Compiled& compiled, graph::Graph& unfolded, const InstalledOps& ops,
               const Options& options) {
  PrecisionOptions precision = options.precision;
  OPKIT_CHECK(read_kept(options.keep_dtype, options.keep_dtype_file, compiled.graph, precision));
  compiled.precision = precision.mode;
  if (precision.mode == Precision::kOrigin) return {};
  std::vector<const OpContract*> contracts;
  for (const auto& op : ops.all()) contracts.push_back(&op->contract());
  const graph::Graph before = compiled.graph;
  OPKIT_TRY(compiled.changes, set_precision(compiled.graph, contracts, precision));
  const std::vector<Converted>& converted = compiled.changes.converted;
  OPKIT_TRY(const Errors overflows, find_overflows(before, converted, options.calibration));
  compiled.warnings.insert(compiled.warnings.end(), overflows.begin(), overflows.end());
  if (converted.empty() && !compiled.changes.unserved.empty())
    compiled.warnings.push_back(no_change(precision.mode, compiled.changes));
  if (!converted.empty()) unfolded = {};
  return {};
}

// An op for other chips alone is none of this model's affair; one that would serve and cannot is.
Errors broken_ops(const InstalledOps& ops) {
  Errors broken;
  for (const Error& note : ops.notes()) {
    if (note.code == registry::kNoneFits) continue;
    broken.push_back(note);
    broken.back().severity = Severity::kWarning;
  }
  return broken;
}

// The vendor's own passes have names, too, that mean nothing here.
bool is_of_the_vendor(const std::string& name) {
  return name.find("Pass") != std::string::npos || name.find("Fusion") != std::string::npos;
}

// Returns a warning for each name of the fusion switch file that no op has: the op that was meant
// is used all the same.
Errors unknown_switches(const Switches& switches, const InstalledOps& ops) {
  std::vector<std::string> names;
  for (const auto& op : ops.all()) names.push_back(op->contract().op);
  Errors unknown;
  for (const auto& [name, on] : switches.named) {
    if (ops.find(name) != nullptr || ops.why_not(name) != nullptr || is_of_the_vendor(name))
      continue;
    Error error("OPK-ATC-015",
                fmt::format("the fusion switch file says {}:{}, and no installed op is called so",
                            name, on ? "on" : "off"),
                suggest(name, names, "opkit list shows what is installed"));
    if (error.action.empty()) error.action = "opkit list shows what is installed";
    error.severity = Severity::kWarning;
    unknown.push_back(std::move(error));
  }
  return unknown;
}

}  // namespace

std::vector<size_t> Compiled::takers() const {
  std::vector<size_t> takers(graph.nodes.size());
  for (const size_t c : cover.chosen) {
    for (const size_t node : candidates.all[c].nodes) takers[node] = c;
  }
  return takers;
}

uint64_t Compiled::nanoseconds() const {
  uint64_t sum = 0;
  for (const model::Step& step : model().steps) sum += step.nanoseconds;
  return sum;
}

uint64_t Compiled::traffic() const {
  uint64_t sum = 0;
  const auto add = [&](const std::vector<std::vector<uint32_t>>& ports) {
    for (const auto& port : ports) {
      for (const uint32_t t : port) sum += model().tensors[t].bytes;
    }
  };
  for (const model::Step& step : model().steps) {
    if (step.kind != model::StepKind::kKernel) continue;
    add(step.in);
    add(step.out);
  }
  return sum;
}

Result<Compiled> compile(graph::Graph graph, const InstalledOps& ops, const Options& options) {
  Compiled compiled;
  compiled.before = graph;
  say_by_reference(compiled.before, ops);
  compiled.graph = std::move(graph);
  OPKIT_TRY(const SocMatch soc, find_soc(options.candidates.soc));
  compiled.measured_chip = soc.spec->timing_is_measured();
  OPKIT_TRY(Prepared prepared, prepare(compiled.graph));
  compiled.rewrites = std::move(prepared.changes);
  compiled.warnings = std::move(prepared.warnings);
  OPKIT_CHECK(convert(compiled, prepared.unfolded, ops, options));
  OPKIT_TRY(compiled.candidates, find_or_rephrase(compiled.graph, prepared.unfolded, ops,
                                                  options.candidates, compiled.rewrites));
  OPKIT_CHECK(choose_cover(compiled, options));
  InPlaceJudge judge;
  OPKIT_TRY(compiled.schedule,
            schedule(compiled.graph, compiled.candidates.all, compiled.cover.chosen,
                     [&](const Candidate& candidate, const InPlace& pair) {
                       return judge.may(candidate, pair);
                     }));
  for (const Errors& more : {judge.failures().warnings(), broken_ops(ops),
                             unknown_switches(options.candidates.switches, ops)})
    compiled.warnings.insert(compiled.warnings.end(), more.begin(), more.end());
  model::OfflineModel& model = compiled.schedule.model;
  model.name = compiled.graph.name;
  model.soc = soc.spec->name;
  model.opset = compiled.graph.opset;
  model.command = options.command;
  model.cover = cover_statement(compiled);
  return compiled;
}

}  // namespace opkit::compile
