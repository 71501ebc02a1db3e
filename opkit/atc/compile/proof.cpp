#include "opkit/atc/compile/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/judged_outputs.h"
#include "opkit/atc/compile/single_nodes.h"
#include "opkit/atc/compile/try_kernel.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/call.h"
#include "opkit/reference/control.h"
#include "opkit/reference/unfit.h"

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

// Runs the model on each set of data. A set on which a loop does not end, or which takes a branch
// that does not fit the dims, has no outputs.
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
    const bool refused = !ran.ok() && ran.error().code == reference::kUnfit;
    if (!ran.ok() && ends && !refused) return std::move(ran).error();
    if (ran.ok()) outputs[i] = std::move(*ran);
  }
  return outputs;
}

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
  // Evaluates the file first: it says which numbers take branches that fit.
  for (size_t set = 0; set < FileReference::kSets; ++set) file.outputs(set);
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
    JudgedOutputs judged(file, set, tolerance, proof);
    for (size_t o = 0; o < chosen[set].size(); ++o)
      OPKIT_CHECK(judged.compare(file.output(o), chosen[set][o], single[set][o]));
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
         error.is(Cause::kWrongModel);
}

}  // namespace opkit::compile
