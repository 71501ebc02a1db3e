// What a proof found, as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/atc/compile/proof.h"

namespace opkit::compile {
namespace {

// Says how near results are; `distance` is a share of the largest element.
std::string nearness(double distance) {
  if (std::isfinite(distance)) return fmt::format("within {:.2g} of the largest element", distance);
  return "not everywhere, since nodes overflow the type that they compute in (OPK-ATC-003)";
}

std::string file_text(const Proof& proof) {
  if (!proof.not_compared.empty())
    return fmt::format("not checked against the model in the file: {}\n", proof.not_compared);
  if (proof.proved == 0 && proof.unproved > 0)
    return "not proved by data: rounding on the way moves every output too far "
           "(OPK-PROOF-005)\n";
  return fmt::format("checked: against the model in the file (opset {}), on {}random data: {}\n",
                     proof.opset, proof.file_integers ? "integers and " : "", nearness(proof.file));
}

std::string bodies_text(const Proof& proof) {
  if (proof.bodies == 0) return "";
  return fmt::format("checked: {} by {}, likewise{}\n",
                     proof.bodies == 1 ? "1 body" : fmt::format("{} bodies", proof.bodies),
                     proof.bodies == 1 ? "itself" : "themselves",
                     proof.bodies_not_compared == 0 ? ""
                                                    : fmt::format(", {} of them not with the file",
                                                                  proof.bodies_not_compared));
}

}  // namespace

size_t Proof::exact() const {
  return static_cast<size_t>(std::count_if(kernels.begin(), kernels.end(),
                                           [](const KernelProof& one) { return one.exact; }));
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
  if (!proof.fused) return file_text(proof) + bodies_text(proof);
  return fmt::format(
             "checked: the chosen cover against single nodes, on integers and random data: {}\n",
             proof.same_bits ? "the same bits" : nearness(proof.plain)) +
         file_text(proof) + bodies_text(proof);
}

}  // namespace opkit::compile
