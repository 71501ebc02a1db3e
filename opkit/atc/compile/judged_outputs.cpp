#include "opkit/atc/compile/judged_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/try_kernel.h"

namespace opkit::compile {
namespace {

// Bounds what counts as proof, as a share of an output's largest element: a larger tolerance tells
// nothing of the output.
constexpr double kMostAllowed = 1;

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

}  // namespace

Status JudgedOutputs::compare(const std::string& name, const Tensor& chosen, const Tensor& single) {
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

Status JudgedOutputs::judge(const std::string& name, double allowed, double chosen, double single) {
  // Infinities have no distance: what overflows is named.
  if (!std::isfinite(single) && warn_of_overflows()) return count(chosen);
  const auto fits = [&] { return single <= allowed && chosen <= std::max(allowed, 2 * single); };
  if (fits()) return count(chosen);
  constexpr double kNoises = 4, kStep = 1.0001;
  allowed = std::max(allowed, kStep * file_.step(set_, name));
  if (fits()) return count(chosen);
  const double noise = file_.noise(set_, name, std::max(chosen, single) / kNoises);
  allowed = std::max(allowed, kNoises * noise);
  if (fits() && allowed > kMostAllowed)
    return warn_of_overflows() ? count(chosen) : warn_of_noise(name, noise);
  proof_.file = std::max(proof_.file, chosen);
  if (single > allowed) return judge_single(name, single);
  if (fits()) return count(chosen);
  return fusions_differ(name, "the model in the file", chosen,
                        fmt::format(", single nodes by {:.3g}", single));
}

Status JudgedOutputs::count(double chosen) {
  ++proof_.proved;
  proof_.file = std::max(proof_.file, chosen);
  return {};
}

Status JudgedOutputs::warn_of_noise(const std::string& name, double noise) {
  Error error("OPK-PROOF-005",
              fmt::format("output '{}' proves nothing on {}: it moves by {:.2g} of its largest "
                          "element where results on the way are rounded otherwise",
                          name, set_ == 0 ? "small integers" : "random data", noise),
              "compile the network with trained weights, or compare on data of your own: opkit "
              "model compare");
  error.severity = Severity::kWarning;
  warn(std::move(error));
  ++proof_.unproved;
  return {};
}

Status JudgedOutputs::judge_single(const std::string& name, double single) {
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

bool JudgedOutputs::warn_of_overflows() {
  Errors overflows = file_.overflows(set_);
  const bool any = !overflows.empty();
  for (Error& one : overflows) warn(std::move(one));
  return any;
}

void JudgedOutputs::warn(Error error) {
  for (const Error& known : proof_.warnings) {
    if (known.code == error.code && known.message == error.message) return;
  }
  proof_.warnings.push_back(std::move(error));
}

}  // namespace opkit::compile
