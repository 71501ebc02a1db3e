#include "opkit/verify/kept_result.h"

#include <nlohmann/json.hpp>

namespace opkit {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Padding, elements, not_zero, untouched)

}  // namespace opkit

namespace opkit::oracle {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WrongElement, index, element, got, expected, lo, hi, ulps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(VendorRule, mere, mare, threshold, passes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Comparison, output, port, elements, wrong, wrong_nan, wrong_inf,
                                   wrong_zero, untouched, unbounded, worst, max_ulps, bias, inexact,
                                   tolerance_share, vendor, manual_tolerance, trivial, bound_used,
                                   histogram)

}  // namespace opkit::oracle

namespace opkit::verify {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ProblemResult, line, verdict, reason, code, outputs, labels,
                                   tiling_key, block_dim, ran, elements, input_digest,
                                   output_digest, padding, shapes)

// CBOR keeps NaN and infinities, which JSON's text cannot.
std::vector<uint8_t> to_bytes(const ProblemResult& result) {
  return nlohmann::json::to_cbor(nlohmann::json(result));
}

std::optional<ProblemResult> result_from(const std::vector<uint8_t>& bytes) {
  try {
    ProblemResult result = nlohmann::json::from_cbor(bytes).get<ProblemResult>();
    if (result.verdict < Verdict::kPassed || result.verdict > Verdict::kSkipped)
      return std::nullopt;
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace opkit::verify
