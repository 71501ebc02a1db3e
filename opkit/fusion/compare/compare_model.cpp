#include "opkit/fusion/compare/compare_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/proof.h"

namespace opkit::compare {
namespace {

using compile::Candidate;
using compile::Compiled;
using compile::Taker;

constexpr double kBusy = 0.5;  // a pipe that works for less of the time keeps nobody

bool is_kernel(const Candidate& candidate) {
  return candidate.taker == Taker::kPlugin && !candidate.on_aicpu();
}

ComparedCover cover_of(const Compiled& compiled) {
  ComparedCover cover{compiled.nanoseconds(), compiled.traffic(), 0, 0, 0};
  for (const model::Step& step : compiled.model().steps) {
    cover.kernels += step.kind == model::StepKind::kKernel;
    cover.turns += step.kind == model::StepKind::kStore || step.kind == model::StepKind::kDense;
    cover.on_host += step.kind == model::StepKind::kHost;
  }
  return cover;
}

std::vector<std::string> results_of(const Compiled& compiled, const Candidate& candidate) {
  std::vector<std::string> results;
  for (const size_t n : candidate.nodes) {
    for (const std::string& output : compiled.graph.nodes[n].outputs)
      if (!output.empty()) results.push_back(output);
  }
  return results;
}

class FusedPlaces {
 public:
  FusedPlaces(const Compiled& fused, const Compiled& plain) : fused_(fused), plain_(plain) {
    for (const size_t c : plain.cover.chosen) {
      for (const std::string& result : results_of(plain, plain.candidates.all[c]))
        by_result_[result] = c;
    }
  }

  // Returns every candidate of several nodes at a place where single ops take just these nodes.
  std::vector<FusedPlace> places() {
    std::vector<bool> chosen(fused_.candidates.all.size());
    for (const size_t c : fused_.cover.chosen) chosen[c] = true;
    std::vector<FusedPlace> all;
    for (size_t c = 0; c < fused_.candidates.all.size(); ++c) {
      const Candidate& candidate = fused_.candidates.all[c];
      if (!candidate.is_fused() || !is_kernel(candidate)) continue;
      FusedPlace place = place_of(candidate);
      place.chosen = chosen[c];
      if (!place.separate.empty() || !place.on_host.empty()) all.push_back(std::move(place));
    }
    return all;
  }

 private:
  FusedPlace place_of(const Candidate& candidate) {
    FusedPlace place;
    place.op = candidate.name();
    place.nodes = candidate.node_names(fused_.graph);
    std::vector<size_t> taken;
    for (const std::string& result : results_of(fused_, candidate)) {
      const auto other = by_result_.find(result);
      if (other == by_result_.end()) return place;  // the plain cover has other nodes here
      if (std::find(taken.begin(), taken.end(), other->second) == taken.end())
        taken.push_back(other->second);
    }
    place.fused = launch_of(candidate);
    for (const size_t c : taken) {
      const Candidate& one = plain_.candidates.all[c];
      if (is_kernel(one)) place.separate.push_back(launch_of(one));
      if (one.off_chip()) place.on_host.push_back(plain_.graph.nodes[one.nodes[0]].op_type);
    }
    return place;
  }

  // Calls that are alike are modelled once; of what cannot be modelled the compiler's figure
  // stands.
  const ModelledLaunch& launch_of(const Candidate& candidate) {
    const auto [known, fresh] = launches_.try_emplace(compile::key_of(candidate));
    if (!fresh) return known->second;
    const auto executor = candidate.op->executor();
    auto launch = executor.ok() ? modelled(candidate.name(), **executor, candidate.plan, {})
                                : Result<ModelledLaunch>(executor.error());
    if (!launch.ok()) {
      const CallPlan& plan = *candidate.plan;
      const uint64_t bytes =
          compile::bytes_of(plan.input_layouts) + compile::bytes_of(plan.output_layouts);
      launch = ModelledLaunch{candidate.name(), candidate.nanoseconds, bytes, false, {}, {}};
    }
    return known->second = std::move(*launch);
  }

  const Compiled &fused_, &plain_;
  std::map<std::string, size_t> by_result_;  // candidates of the plain cover
  std::map<std::string, ModelledLaunch> launches_;
};

// Losses first, the largest in front; then gains.
bool comes_first(const FusedPlace& a, const FusedPlace& b) {
  const auto gain = [](const FusedPlace& place) {
    return static_cast<int64_t>(place.separate_ns()) - static_cast<int64_t>(place.fused.ns);
  };
  if (a.is_slower() != b.is_slower()) return a.is_slower();
  return a.is_slower() ? gain(a) < gain(b) : gain(a) > gain(b);
}

Status compare_on_data(const Compiled& compiled, const InstalledOps& ops,
                       FusedModelComparison& made) {
  compile::FileReference file(compiled);
  auto proof = compile::compare_covers(compiled, ops, file);
  if (proof.ok()) return made.compared = compile::covers_text(*proof), Status();
  if (!compile::is_of_proof(proof.error())) return std::move(proof).error();
  made.wrong.push_back(proof.error());
  return {};
}

}  // namespace

uint64_t FusedPlace::separate_ns() const {
  uint64_t sum = 0;
  for (const ModelledLaunch& launch : separate) sum += launch.ns;
  return sum;
}

uint64_t FusedPlace::separate_bytes() const {
  uint64_t sum = 0;
  for (const ModelledLaunch& launch : separate) sum += launch.gm_bytes;
  return sum;
}

std::string FusedPlace::bottleneck() const {
  const size_t pipe = fused.busiest();
  const double busy = fused.busy[pipe];
  if (busy == 0) return "its pipes are not known";
  const std::string_view name = core::timed_pipe_name(pipe);
  if (busy < kBusy)
    return fmt::format("it waits: its busiest pipe, {}, works {:.0f} % of the time", name,
                       100 * busy);
  return fmt::format("{} works {:.0f} % of the time", name, 100 * busy);
}

std::string FusedPlace::advice() const {
  const size_t pipe = fused.busiest();
  const std::string_view name = core::timed_pipe_name(pipe);
  if (fused.gm_bytes >= separate_bytes())
    return "it moves no fewer bytes than the separate ops: keep what lies between in UB, and read "
           "each operand once";
  if (fused.busy[pipe] == 0) return "opkit profile shows its pipes";
  if (fused.busy[pipe] < kBusy)
    return "overlap copies and computation (two buffers), and use all cores: opkit tune " + op;
  if (name == "MTE2" || name == "MTE3")
    return "larger copies: opkit tune " + op + " searches tiles";
  if (name == "S") return "move address arithmetic and element accesses out of the inner loop";
  if (name == "V")
    return "fewer or wider vector instructions for each element; opkit profile counts them";
  return "larger tiles of the product, so that each load is used more often: opkit tune " + op;
}

Result<FusedModelComparison> compare_model(const graph::Graph& graph, const InstalledOps& ops,
                                           const ModelCompareOptions& options) {
  options.step("compiling with every op");
  OPKIT_TRY(const Compiled fused, compile::compile(graph, ops, options.compilation));
  options.step("compiling with ops of one node");
  compile::Options single = options.compilation;
  single.candidates.fused = false;
  OPKIT_TRY(const Compiled plain, compile::compile(graph, ops, single));
  FusedModelComparison made;
  made.model = fused.model().name;
  made.soc = fused.model().soc;
  made.measured_chip = fused.measured_chip;
  made.fused = cover_of(fused);
  made.plain = cover_of(plain);
  options.step("modelling fused ops and what they stand for");
  made.places = FusedPlaces(fused, plain).places();
  if (made.places.empty())
    return Error(
        "OPK-COMPARE-002",
        fmt::format("no installed op of several nodes fits a place of model '{}'", made.model),
        "opkit analyze names chains that are worth one");
  std::stable_sort(made.places.begin(), made.places.end(), comes_first);
  options.step("running both covers on data");
  OPKIT_CHECK(compare_on_data(fused, ops, made));
  return made;
}

}  // namespace opkit::compare
