#include "opkit/atc/compile/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/atc/compile/choose_cover.h"
#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/in_place.h"
#include "opkit/atc/compile/installed_calls.h"
#include "opkit/atc/compile/make_schedule.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/atc/compile/rephrase_nodes.h"
#include "opkit/atc/compile/unroll_loops.h"
#include "opkit/base/suggest.h"
#include "opkit/call/trace/rates.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::compile {
namespace {

Error no_change(PrecisionMode mode, const PrecisionChanges& changes) {
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

// Converts types; what was folded was folded before the types changed, so that weights are rounded
// once.
Status convert(Compiled& compiled, graph::Graph& unfolded, const InstalledOps& ops,
               const Options& options) {
  PrecisionOptions precision = options.precision;
  OPKIT_CHECK(read_kept(options.keep_dtype, options.keep_dtype_file, compiled.graph, precision));
  compiled.precision = precision.mode;
  compiled.kept = precision;
  if (precision.mode == PrecisionMode::kOrigin) return {};
  std::vector<const OpContract*> contracts;
  for (const auto& op : ops.all()) contracts.push_back(&op->contract());
  const graph::Graph before = compiled.graph;
  OPKIT_TRY(compiled.changes, set_precision(compiled.graph, unfolded, contracts, precision));
  const std::vector<Converted>& converted = compiled.changes.converted;
  OPKIT_TRY(const Errors overflows, find_overflows(before, converted, options.calibration));
  compiled.warnings.insert(compiled.warnings.end(), overflows.begin(), overflows.end());
  if (converted.empty() && !compiled.changes.unserved.empty())
    compiled.warnings.push_back(no_change(precision.mode, compiled.changes));
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

// Flags that name inputs or nodes of the whole model have been read.
Options options_of_bodies(const Compiled& compiled, const Options& options) {
  Options own = options;
  own.calibration.clear();
  own.keep_dtype.clear();
  own.precision = compiled.kept;
  own.steps.clear();
  return own;
}

void add_warnings(const Errors& more, Compiled& compiled) {
  for (const Error& one : more) {
    const auto same = [&](const Error& known) {
      return known.code == one.code && known.message == one.message;
    };
    if (std::none_of(compiled.warnings.begin(), compiled.warnings.end(), same))
      compiled.warnings.push_back(one);
  }
}

// Operators that the interpreter runs per frame.
uint64_t host_runs(const Compiled& compiled) {
  uint64_t runs = 0;
  for (const model::Step& step : compiled.model().steps)
    runs += step.kind == model::StepKind::kHost;
  for (const CompiledBody& body : compiled.bodies)
    runs += of_all_trips(host_runs(*body.compiled), body.trips);
  return runs;
}

// To come back for an iteration is taken to cost the host what a launch costs it. A quantised model
// keeps its loops: its whole numbers have been found, and what is written out would be floats.
Status write_out_loops(Compiled& compiled, const SocSpec& soc, const InstalledOps& ops,
                       const Options& options, OtherForms& forms) {
  if (!options.unrolls || !forms.quantized.graph.nodes.empty()) return {};
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(soc));
  Options looped = options_of_bodies(compiled, options);
  looped.precision = options.precision;
  looped.unrolls = false;
  const auto cost_of = [&](graph::Graph graph) -> Result<FrameCost> {
    OPKIT_TRY(const Compiled made, compile(std::move(graph), ops, looped));
    return FrameCost{made.nanoseconds(), host_runs(made)};
  };
  OPKIT_TRY(const size_t unrolled, unroll_loops(compiled.graph, rates.launch_ns, cost_of));
  if (unrolled == 0) return {};
  compiled.rewrites["unroll_loops"] += unrolled;
  forms = {};
  return canonicalize_again(compiled.graph, compiled.rewrites);
}

// Operators on the host have one version in a model.
Error other_version(const graph::Graph& graph, const Compiled& body, const std::string& title) {
  return Error("OPK-FLOW-004",
               fmt::format("the {} has operators of version {}, the graph around it of {}, and "
                           "neither can be said in the other's",
                           title, body.graph.opset, graph.opset),
               "export the model with opset 13 or later");
}

Status compile_bodies(Compiled& compiled, const InstalledOps& ops, const Options& options) {
  OPKIT_TRY(std::vector<OpenBody> open, open_bodies(compiled.graph));
  for (OpenBody& body : open) {
    auto made = compile(std::move(body.graph), ops, options_of_bodies(compiled, options));
    if (!made.ok())
      return std::move(made).error().with(
          body_title(compiled.graph.nodes[body.node], body.attribute));
    if (made->graph.opset != compiled.graph.opset)
      return other_version(compiled.graph, *made,
                           body_title(compiled.graph.nodes[body.node], body.attribute));
    add_warnings(made->warnings, compiled);
    if (body.unfit) add_warnings({*body.unfit}, compiled);
    compiled.modelled += made->modelled;
    compiled.from_cache += made->from_cache;
    compiled.bodies.push_back({body.node, body.attribute, body.trips, body.unfit.has_value(),
                               std::make_shared<const Compiled>(std::move(*made))});
  }
  return {};
}

void join_bodies(Compiled& compiled) {
  std::vector<model::OfflineModel> models;
  std::vector<size_t> nodes;
  for (const CompiledBody& body : compiled.bodies) {
    models.push_back(body.compiled->model());
    nodes.push_back(body.node);
    uint64_t& time =
        compiled.schedule.model.steps[compiled.schedule.control.at(body.node)].nanoseconds;
    // An If runs one of its branches.
    time = std::max(time, of_all_trips(body.compiled->nanoseconds(), body.trips));
  }
  join_bodies(std::move(models), nodes, compiled.schedule);
}

// Tells whether an op that was chosen takes a Softmax together with what is around it.
bool takes_attention(const Compiled& compiled) {
  return std::any_of(compiled.cover.chosen.begin(), compiled.cover.chosen.end(), [&](size_t c) {
    const std::vector<size_t>& nodes = compiled.candidates.all[c].nodes;
    return nodes.size() > 1 && std::any_of(nodes.begin(), nodes.end(), [&](size_t n) {
             return compiled.graph.nodes[n].op_type == "Softmax";
           });
  });
}

Status find_cover(Compiled& compiled, const OtherForms& forms, const InstalledOps& ops,
                  const Options& options) {
  OPKIT_TRY(compiled.candidates,
            find_or_rephrase(compiled.graph, forms, ops, options.candidates, compiled.rewrites));
  return choose_cover(compiled, options);
}

// Attentions are lifted for the sake of an op: where none is chosen, single nodes would pay for it.
Status cover_graph(Compiled& compiled, const OtherForms& forms, const InstalledOps& ops,
                   const Options& options) {
  const graph::Graph graph = compiled.graph;
  const std::map<std::string, size_t> rewrites = compiled.rewrites;
  const Errors warnings = compiled.warnings;
  OPKIT_CHECK(find_cover(compiled, forms, ops, options));
  if (compiled.rewrites.count("lift_attentions") == 0 || takes_attention(compiled)) return {};
  compiled.graph = graph;
  compiled.rewrites = rewrites;
  compiled.warnings = warnings;
  Options flat = options;
  flat.candidates.lifts = false;
  return find_cover(compiled, forms, ops, flat);
}

}  // namespace

Result<Coverable> coverable(graph::Graph graph, const InstalledOps& ops, const Options& options) {
  Compiled compiled;
  compiled.before = graph;
  say_by_reference(compiled.before, ops);
  compiled.graph = std::move(graph);
  OPKIT_TRY(const SocMatch soc, find_soc(options.candidates.soc));
  compiled.measured_chip = soc.spec->timing_is_measured();
  OPKIT_TRY(Prepared prepared, prepare(compiled.graph));
  compiled.rewrites = std::move(prepared.changes);
  compiled.warnings = std::move(prepared.warnings);
  OPKIT_CHECK(write_out_loops(compiled, *soc.spec, ops, options, prepared.forms));
  OPKIT_CHECK(convert(compiled, prepared.forms.unfolded, ops, options));
  for (const variants::VariantStep& step : options.steps) {
    OPKIT_TRY(const size_t places, variants::apply(compiled.graph, step));
    compiled.rewrites[step.variant] += places;
  }
  return Coverable{std::move(compiled), std::move(prepared.forms)};
}

Status cover_form(Coverable& form, const InstalledOps& ops, const Options& options) {
  return cover_graph(form.compiled, form.forms, ops, options);
}

Result<Compiled> compile(graph::Graph graph, const InstalledOps& ops, const Options& options) {
  OPKIT_TRY(const SocMatch soc, find_soc(options.candidates.soc));
  OPKIT_TRY(Coverable form, coverable(std::move(graph), ops, options));
  OPKIT_CHECK(cover_form(form, ops, options));
  Compiled compiled = std::move(form.compiled);
  InPlaceJudge judge;
  OPKIT_TRY(compiled.schedule,
            make_schedule(compiled.graph, compiled.candidates.all, compiled.cover.chosen,
                          [&](const Candidate& candidate, const InPlace& pair) {
                            return judge.may(candidate, pair);
                          }));
  OPKIT_CHECK(compile_bodies(compiled, ops, options));
  join_bodies(compiled);
  for (const Errors& more : {judge.failures().warnings(), broken_ops(ops),
                             unknown_switches(options.candidates.switches, ops)})
    add_warnings(more, compiled);
  model::OfflineModel& model = compiled.schedule.model;
  model.name = compiled.graph.name;
  model.soc = soc.spec->name;
  model.opset = compiled.graph.opset;
  model.command = options.command;
  model.cover = cover_statement(compiled);
  return compiled;
}

}  // namespace opkit::compile
