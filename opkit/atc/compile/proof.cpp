#include "opkit/atc/compile/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/single_nodes.h"
#include "opkit/atc/compile/try_kernel.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/call.h"
#include "opkit/reference/control.h"

namespace opkit::compile {

namespace {

// Proves each call once; calls in bodies count as often as in the graph around them.
Status prove_kernels(const Compiled& compiled, std::map<std::string, KernelProof>& proofs) {
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (candidate.taker != Taker::kPlugin || candidate.op->contract().reference.empty()) continue;
    const auto [place, fresh] = proofs.try_emplace(key_of(candidate));
    KernelProof& proof = place->second;
    ++proof.calls;
    if (!fresh) continue;
    proof.op = candidate.name();
    proof.nodes = candidate.node_names(compiled.graph);
    OPKIT_CHECK(try_kernel(compiled.graph, candidate, TrialData::kIntegers, proof));
    if (proof.failure.empty()) continue;
    return Error("OPK-PROOF-001",
                 fmt::format("{} does not compute its reference at the shapes of '{}': {}",
                             proof.op, proof.nodes, proof.failure),
                 fmt::format("opkit test {}; until it is mended, write {}:off into a fusion switch "
                             "file",
                             proof.op, proof.op))
        .of(proof.op);
  }
  for (const CompiledBody& body : compiled.bodies)
    OPKIT_CHECK(prove_kernels(*body.compiled, proofs));
  return {};
}

Result<std::vector<KernelProof>> prove_kernels(const Compiled& compiled) {
  std::map<std::string, KernelProof> proofs;
  OPKIT_CHECK(prove_kernels(compiled, proofs));
  std::vector<KernelProof> list;
  for (auto& [key, proof] : proofs) list.push_back(std::move(proof));
  return list;
}

// Tensors of a run on integers, and of one on random data.
using Drawn = std::array<std::vector<Tensor>, FileReference::kSets>;

// Refuses an iteration that the interpreter would not run either.
Error does_not_end(const model_run::SeenStep& seen) {
  return Error(reference::kTooLarge,
               fmt::format("step '{}' is in a body that went on for {} iterations", seen.step.name,
                           seen.iteration),
               "nothing: such data are left out of the comparison");
}

// Runs the model on each set of data. A set on which a loop does not end has no outputs.
Result<Drawn> run(model::OfflineModel model, const InstalledOps& ops, const Drawn& inputs) {
  OPKIT_TRY(model_run::ModelRunner runner, model_run::ModelRunner::load(std::move(model), ops));
  Drawn outputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    bool ends = true;
    const auto watch = [&](const model_run::SeenStep& seen, const auto&, bool) -> Status {
      ends = seen.iteration < static_cast<uint64_t>(reference::kMostIterations);
      return ends ? Status() : does_not_end(seen);
    };
    auto ran = runner.run(inputs[i], nullptr, watch);
    if (!ran.ok() && ends) return std::move(ran).error();
    if (ran.ok()) outputs[i] = std::move(*ran);
  }
  return outputs;
}

double distance_of_covers(const Tensor& chosen, const Tensor& single) {
  double largest = 1e-30, worst = 0;
  for (int64_t i = 0; i < chosen.elements(); ++i) {
    const double a = chosen.at(i), b = single.at(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    largest = std::max(largest, std::isfinite(b) ? std::abs(b) : 0);
    worst = std::max(worst, std::isfinite(a - b) ? std::abs(a - b) : INFINITY);
  }
  for (int64_t i = 0; i < single.elements(); ++i)
    largest = std::max(largest, std::isfinite(single.at(i)) ? std::abs(single.at(i)) : 0);
  return worst / largest;
}

Error fusions_differ(const std::string& output, const std::string& from, double distance,
                     const std::string& than) {
  return Error("OPK-PROOF-002",
               fmt::format("output '{}' of the chosen cover differs from {} by {:.3g} of its "
                           "largest element{}",
                           output, from, distance, than),
               "--bisect finds the fused op that is the cause, and drops it");
}

// The outputs of both covers for one set of data, judged.
class Comparison {
 public:
  Comparison(FileReference& file, size_t set, double tolerance, Proof& proof)
      : file_(file), set_(set), tolerance_(tolerance), proof_(proof) {}

  Status compare(const std::string& name, const Tensor& chosen, const Tensor& single) {
    const double apart = distance_of_covers(chosen, single);
    proof_.same_bits &= std::memcmp(chosen.data(), single.data(), chosen.size_bytes()) == 0;
    proof_.plain = std::max(proof_.plain, apart);
    const double allowed = std::max(tolerance_, tolerance_of(chosen.dtype()));
    const reference::NamedTensors* expected = file_.outputs(set_);
    if (expected == nullptr) {
      if (apart <= allowed) return {};
      return fusions_differ(name, "that of single nodes", apart, "");
    }
    return judge(name, allowed, distance(expected->at(name), chosen),
                 distance(expected->at(name), single));
  }

 private:
  Status judge(const std::string& name, double allowed, double chosen, double single) {
    proof_.file = std::max(proof_.file, chosen);
    // Infinities have no distance: what overflows is named.
    if (!std::isfinite(single) && warn_of_overflows()) return {};
    if (single <= allowed && chosen <= std::max(allowed, 2 * single)) return {};
    constexpr double kNoises = 4, kStep = 1.0001;
    allowed =
        std::max({allowed, kNoises * file_.noise(set_, name, std::max(chosen, single) / kNoises),
                  kStep * file_.step(set_, name)});
    if (single > allowed) return judge_single(name, single);
    if (chosen <= std::max(allowed, 2 * single)) return {};
    return fusions_differ(name, "the model in the file", chosen,
                          fmt::format(", single nodes by {:.3g}", single));
  }

  Status judge_single(const std::string& name, double single) {
    if (warn_of_overflows()) return {};
    const double canonical = file_.canonical_distance(set_, name);
    const bool rewritten = canonical > std::max(tolerance_, single / 2);
    return Error("OPK-PROOF-003",
                 fmt::format("output '{}' of single nodes differs from the model in the file "
                             "(opset {}) by {:.3g} of its largest element, the canonical form "
                             "by {:.3g}",
                             name, file_.opset(), single, canonical),
                 rewritten ? "report this model: a rewrite changed what it computes"
                           : "--check names a kernel that computes something else");
  }

  bool warn_of_overflows() {
    Errors overflows = file_.overflows(set_);
    const bool any = !overflows.empty();
    for (Error& one : overflows) warn(std::move(one));
    return any;
  }

  void warn(Error error) {
    for (const Error& known : proof_.warnings) {
      if (known.code == error.code && known.message == error.message) return;
    }
    proof_.warnings.push_back(std::move(error));
  }

  FileReference& file_;
  const size_t set_;
  const double tolerance_;
  Proof& proof_;
};

// Warns of infinities that come of numbers between -1 and 1.
void warn_of_infinities(const std::vector<Tensor>& outputs, Proof& proof) {
  for (const Tensor& output : outputs) {
    if (!is_float(output.dtype())) continue;
    int64_t count = 0;
    for (int64_t i = 0; i < output.elements(); ++i) count += !std::isfinite(output.at(i));
    if (count == 0) continue;
    Error error("OPK-PROOF-004",
                fmt::format("output '{}' holds NaN or infinities in {} of its {} elements, on "
                            "inputs between -1 and 1",
                            output.desc().name, count, output.elements()),
                "look for logarithms, roots, quotients and powers whose operands leave their "
                "domain, and for values that the type cannot hold");
    error.severity = Severity::kWarning;
    proof.warnings.push_back(std::move(error));
  }
}

bool has_fusions(const Compiled& compiled) {
  return std::any_of(compiled.cover.chosen.begin(), compiled.cover.chosen.end(),
                     [&](size_t c) { return compiled.candidates.all[c].is_fused(); }) ||
         std::any_of(compiled.bodies.begin(), compiled.bodies.end(),
                     [](const CompiledBody& body) { return has_fusions(*body.compiled); });
}

// Empty when one set of data is enough for a comparison.
std::string why_not_compared(FileReference& file) {
  for (size_t set = 0; set < FileReference::kSets; ++set) {
    if (file.outputs(set) != nullptr) return "";
  }
  return file.missing(FileReference::kSets - 1);
}

}  // namespace

std::optional<FusionId> wrong_fusion(const Compiled& compiled) {
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (!candidate.is_fused()) continue;
    KernelProof proof;
    const Status tried = try_kernel(compiled.graph, candidate, TrialData::kIntegers, proof);
    if (!tried.ok() || !proof.failure.empty()) return id_of(candidate.match);
  }
  for (const CompiledBody& body : compiled.bodies) {
    if (auto wrong = wrong_fusion(*body.compiled)) return wrong;
  }
  return std::nullopt;
}

Result<KernelProof> prove_call(const graph::Graph& graph, const Candidate& candidate) {
  KernelProof proof;
  proof.op = candidate.name();
  proof.nodes = candidate.node_names(graph);
  proof.calls = 1;
  for (const TrialData data : {TrialData::kIntegers, TrialData::kFractions}) {
    if (proof.failure.empty()) OPKIT_CHECK(try_kernel(graph, candidate, data, proof));
  }
  return proof;
}

Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops) {
  FileReference file(compiled, std::numeric_limits<double>::infinity());
  return prove(compiled, ops, file);
}

Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops, FileReference& file) {
  OPKIT_TRY(std::vector<KernelProof> kernels, prove_kernels(compiled));
  OPKIT_TRY(Proof proof, compare_covers(compiled, ops, file));
  proof.kernels = std::move(kernels);
  return proof;
}

namespace {

Result<Proof> compare_graph(const Compiled& compiled, const InstalledOps& ops,
                            FileReference& file) {
  Proof proof;
  proof.fused = has_fusions(compiled);
  proof.opset = file.opset();
  proof.not_compared = why_not_compared(file);
  proof.file_integers = file.outputs(0) != nullptr;
  if (!proof.fused && !proof.not_compared.empty()) return proof;
  OPKIT_TRY(const Drawn chosen, run(compiled.model(), ops, file.inputs()));
  Drawn single = chosen;
  if (proof.fused) {
    OPKIT_TRY(model::OfflineModel plain, single_node_model(compiled));
    OPKIT_TRY(single, run(std::move(plain), ops, file.inputs()));
  }
  const auto has_run = [](const std::vector<Tensor>& outputs) { return !outputs.empty(); };
  proof.same_bits = std::any_of(chosen.begin(), chosen.end(), has_run);
  const double tolerance = tolerance_of(coarsest_type(compiled));
  for (size_t set = 0; set < FileReference::kSets; ++set) {
    if (!has_run(chosen[set]) || !has_run(single[set])) continue;
    Comparison comparison(file, set, tolerance, proof);
    for (size_t o = 0; o < chosen[set].size(); ++o)
      OPKIT_CHECK(comparison.compare(file.output(o), chosen[set][o], single[set][o]));
  }
  warn_of_infinities(chosen.back(), proof);
  return proof;
}

// What a body meets is not what it is tried on: only its outputs are judged.
Status compare_bodies(const Compiled& compiled, const InstalledOps& ops, double limit,
                      Proof& proof) {
  for (const CompiledBody& body : compiled.bodies) {
    FileReference inside(*body.compiled, limit);
    auto found = compare_graph(*body.compiled, ops, inside);
    ++proof.bodies;
    if (!found.ok() && !why_not_compared(inside).empty()) {
      // Nobody can run it on that data.
      ++proof.bodies_not_compared;
      continue;
    }
    if (!found.ok())
      return std::move(found).error().with(
          body_title(compiled.graph.nodes[body.node], body.attribute));
    proof.bodies_not_compared += !found->not_compared.empty();
    proof.fused = proof.fused || found->fused;
    proof.same_bits = proof.same_bits && (!found->fused || found->same_bits);
    proof.plain = std::max(proof.plain, found->plain);
    proof.file = std::max(proof.file, found->file);
    // Infinities on what a body is tried on say nothing: overflows do.
    std::copy_if(found->warnings.begin(), found->warnings.end(), std::back_inserter(proof.warnings),
                 [](const Error& one) { return one.code == kOverflows; });
    OPKIT_CHECK(compare_bodies(*body.compiled, ops, limit, proof));
  }
  return {};
}

}  // namespace

Result<Proof> compare_covers(const Compiled& compiled, const InstalledOps& ops,
                             FileReference& file) {
  OPKIT_TRY(Proof proof, compare_graph(compiled, ops, file));
  OPKIT_CHECK(compare_bodies(compiled, ops, file.limit(), proof));
  return proof;
}

bool is_of_proof(const Error& error) {
  return error.is(Cause::kWrongKernel) || error.is(Cause::kWrongCover) ||
         error.code == "OPK-PROOF-003";
}

}  // namespace opkit::compile
