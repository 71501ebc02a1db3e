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

std::string names_of(const Compiled& compiled, const Candidate& candidate) {
  std::string names;
  for (const size_t n : candidate.nodes) {
    const graph::Node& node = compiled.graph.nodes[n];
    names += (names.empty() ? "" : "+") + (node.name.empty() ? node.outputs[0] : node.name);
  }
  return names;
}

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
    proof.nodes = names_of(compiled, candidate);
    OPKIT_CHECK(try_kernel(compiled.graph, candidate, proof));
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

std::vector<Tensor> random_inputs(const model::OfflineModel& model) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Tensor> inputs;
  for (const uint32_t t : model.inputs) {
    const TensorDesc& desc = model.tensors[t].desc;
    Tensor& tensor = inputs.emplace_back(desc.dtype, desc.shape, desc.name);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double value = number(random);
      tensor.set(i, is_float(desc.dtype) ? value : value > 0);
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
  proof.same_bits = true;
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
                 "switch off the fused ops one by one with a fusion switch file");
  }
  return {};
}

}  // namespace

size_t Proof::exact() const {
  return static_cast<size_t>(std::count_if(kernels.begin(), kernels.end(),
                                           [](const KernelProof& one) { return one.exact; }));
}

Result<Proof> prove(const Compiled& compiled, const InstalledOps& ops, const Options& options) {
  Proof proof;
  OPKIT_TRY(proof.kernels, prove_kernels(compiled));
  Options single = options;
  single.candidates.fused = false;
  single.candidates.fallback = true;
  OPKIT_TRY(const Compiled plain, compile(compiled.before, ops, single));
  const std::vector<Tensor> inputs = random_inputs(compiled.model());
  OPKIT_TRY(const std::vector<Tensor> a, run(compiled, ops, inputs));
  OPKIT_TRY(const std::vector<Tensor> b, run(plain, ops, inputs));
  OPKIT_CHECK(compare(a, b, proof));
  return proof;
}

std::string proof_text(const Proof& proof) {
  double worst = 0;
  for (const KernelProof& one : proof.kernels) worst = std::max(worst, one.worst);
  return fmt::format(
      "checked: {} distinct calls on small integers, {} of them to the last bit, the "
      "others within {:.2g} of the largest element; chosen against plain cover on "
      "random data: {}\n",
      proof.kernels.size(), proof.exact(), worst,
      proof.same_bits ? "the same bits" : fmt::format("{:.2g}", proof.plain));
}

}  // namespace opkit::compile
