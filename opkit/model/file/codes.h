// Error codes of offline models.
#ifndef OPKIT_MODEL_FILE_CODES_H_
#define OPKIT_MODEL_FILE_CODES_H_

namespace opkit::model {

inline constexpr const char* kNoOm = "OPK-OM-001";     // the bytes are no offline model
inline constexpr const char* kOtherOm = "OPK-OM-002";  // is for files of another tool or version
inline constexpr const char* kDamaged = "OPK-OM-003";  // the digest does not fit
inline constexpr const char* kWrongOm = "OPK-OM-004";  // parts that do not fit each other
inline constexpr const char* kOtherPlugin = "OPK-OM-005";  // a plugin is missing or another one
inline constexpr const char* kTooLarge = "OPK-OM-006";     // more memory than the chip has
inline constexpr const char* kBadInput = "OPK-OM-007";     // an input that the model does not take

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_CODES_H_
