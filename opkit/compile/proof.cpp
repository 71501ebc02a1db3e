#include "opkit/compile/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "opkit/compile/costs.h"
#include "opkit/compile/try_kernel.h"
#include "opkit/model_run/model_runner.h"

namespace opkit::compile {

namespace {

Result<std::vector<KernelProof>> prove_kernels(const Compiled& compiled) {
  std::map<std::string, KernelProof> proofs;  // by call
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (candidate.taker != Taker::kPlugin) continue;
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
  std::vector<KernelProof> list;
  for (auto& [key, proof] : proofs) list.push_back(std::move(proof));
  return list;
}

// Small integers, so that most sums are exact, or numbers between -1 and 1.
std::vector<Tensor> drawn_inputs(const model::OfflineModel& model, bool integers) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Tensor> inputs;
  for (const uint32_t t : model.inputs) {
    const TensorDesc& desc = model.tensors[t].desc;
    Tensor& tensor = inputs.emplace_back(desc.dtype, desc.shape, desc.name);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double value = number(random);
      const double real = integers ? std::round(2 * value) : value;
      tensor.set(i, is_float(desc.dtype) ? real : value > 0);
    }
  }
  return inputs;
}

// Tensors of a run on integers, and of one on random data.
using Drawn = std::array<std::vector<Tensor>, 2>;

Result<Drawn> run(const Compiled& compiled, const InstalledOps& ops, const Drawn& inputs) {
  OPKIT_TRY(model_run::ModelRunner runner, model_run::ModelRunner::load(compiled.model(), ops));
  Drawn outputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    OPKIT_TRY(outputs[i], runner.run(inputs[i]));
  }
  return outputs;
}

Status compare(const std::vector<Tensor>& chosen, const std::vector<Tensor>& plain, Proof& proof) {
  for (size_t o = 0; o < chosen.size(); ++o) {
    const Tensor &a = chosen[o], &b = plain[o];
    proof.same_bits &= std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
    double largest = 1e-30, worst = 0;
    for (int64_t i = 0; i < a.elements(); ++i) {
      largest = std::max(largest, std::abs(b.at(i)));
      worst = std::max(worst, std::abs(a.at(i) - b.at(i)));
    }
    proof.plain = std::max(proof.plain, worst / largest);
    if (worst / largest <= tolerance_of(a.dtype())) continue;
    return Error("OPK-PROOF-002",
                 fmt::format("output '{}' of the chosen cover differs from that of single nodes by "
                             "{:.3g} of its largest element",
                             a.desc().name, worst / largest),
                 "--bisect finds the fused op that is the cause, and drops it");
  }
  return {};
}

}  // namespace

size_t Proof::exact() const {
  return static_cast<size_t>(std::count_if(kernels.begin(), kernels.end(),
                                           [](const KernelProof& one) { return one.exact; }));
}

bool has_fusions(const Compiled& compiled) {
  return std::any_of(compiled.cover.chosen.begin(), compiled.cover.chosen.end(),
                     [&](size_t c) { return compiled.candidates.all[c].is_fused(); });
}

std::optional<FusionId> wrong_fusion(const Compiled& compiled) {
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (!candidate.is_fused()) continue;
    KernelProof proof;
    const Status tried = try_kernel(compiled.graph, candidate, TrialData::kIntegers, proof);
    if (!tried.ok() || !proof.failure.empty()) return id_of(candidate.match);
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

Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops, const Options& options) {
  OPKIT_TRY(std::vector<KernelProof> kernels, prove_kernels(compiled));
  OPKIT_TRY(Proof proof, compare_covers(compiled, ops, options));
  proof.kernels = std::move(kernels);
  return proof;
}

Result<Proof> compare_covers(const Compiled& compiled, const InstalledOps& ops,
                             const Options& options) {
  Proof proof;
  Options single = options;
  single.candidates.fused = false;
  single.candidates.fallback = true;
  OPKIT_TRY(const Compiled plain, compile(compiled.before, ops, single));
  proof.same_bits = true;
  const Drawn inputs{drawn_inputs(compiled.model(), true), drawn_inputs(compiled.model(), false)};
  OPKIT_TRY(const Drawn a, run(compiled, ops, inputs));
  OPKIT_TRY(const Drawn b, run(plain, ops, inputs));
  for (size_t i = 0; i < inputs.size(); ++i) OPKIT_CHECK(compare(a[i], b[i], proof));
  return proof;
}

std::string proof_text(const Proof& proof) {
  double worst = 0;
  for (const KernelProof& one : proof.kernels) worst = std::max(worst, one.worst);
  return fmt::format(
             "checked: {} distinct calls on small integers, {} of them to the last bit, the others "
             "within {:.2g} of the largest element\n",
             proof.kernels.size(), proof.exact(), worst) +
         covers_text(proof);
}

std::string covers_text(const Proof& proof) {
  return fmt::format(
      "checked: the chosen cover against single nodes, on integers and random data: {}\n",
      proof.same_bits ? "the same bits"
                      : fmt::format("within {:.2g} of the largest element", proof.plain));
}

}  // namespace opkit::compile
