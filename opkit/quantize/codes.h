// Error codes of quantization, and of comparing models.
#ifndef OPKIT_QUANTIZE_CODES_H_
#define OPKIT_QUANTIZE_CODES_H_

namespace opkit::quantize {

inline constexpr const char* kNoData = "OPK-QUANT-001";
inline constexpr const char* kDataMisfit = "OPK-QUANT-002";
inline constexpr const char* kNotFinite = "OPK-QUANT-003";
inline constexpr const char* kNothing = "OPK-QUANT-004";
inline constexpr const char* kUnknownLayer = "OPK-QUANT-005";
inline constexpr const char* kBadConfig = "OPK-QUANT-006";
inline constexpr const char* kBadRecord = "OPK-QUANT-007";
inline constexpr const char* kOtherRecord = "OPK-QUANT-008";
inline constexpr const char* kCannotQuantize = "OPK-QUANT-009";
inline constexpr const char* kNotCovered = "OPK-QUANT-010";  // a warning
inline constexpr const char* kNothingInCommon = "OPK-QUANT-011";
inline constexpr const char* kOtherDims = "OPK-QUANT-012";
inline constexpr const char* kBadLabels = "OPK-QUANT-013";
inline constexpr const char* kOverBudget = "OPK-QUANT-014";

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_CODES_H_
