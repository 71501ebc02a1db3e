#include "opkit/compile/proof.h"

#include <fmt/format.h>

#include <algorithm>
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

Result<std::vector<Tensor>> run(const Compiled& compiled, const InstalledOps& ops,
                                const std::vector<Tensor>& inputs) {
  OPKIT_TRY(model_run::ModelRunner runner, model_run::ModelRunner::load(compiled.model(), ops));
  return runner.run(inputs);
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

std::optional<FusionId> wrong_fusion(const Compiled& compiled) {
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (candidate.taker != Taker::kPlugin || candidate.nodes.size() < 2) continue;
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
  for (const bool integers : {true, false}) {
    const std::vector<Tensor> inputs = drawn_inputs(compiled.model(), integers);
    OPKIT_TRY(const std::vector<Tensor> a, run(compiled, ops, inputs));
    OPKIT_TRY(const std::vector<Tensor> b, run(plain, ops, inputs));
    OPKIT_CHECK(compare(a, b, proof));
  }
  return proof;
}

std::string proof_text(const Proof& proof) {
  double worst = 0;
  for (const KernelProof& one : proof.kernels) worst = std::max(worst, one.worst);
  return fmt::format(
      "checked: {} distinct calls on small integers, {} of them to the last bit, the "
      "others within {:.2g} of the largest element; chosen against plain cover on "
      "integers and random data: {}\n",
      proof.kernels.size(), proof.exact(), worst,
      proof.same_bits ? "the same bits" : fmt::format("{:.2g}", proof.plain));
}

}  // namespace opkit::compile
