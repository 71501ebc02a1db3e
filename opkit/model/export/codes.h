// Error codes of exporting models as source.
#ifndef OPKIT_MODEL_EXPORT_CODES_H_
#define OPKIT_MODEL_EXPORT_CODES_H_

namespace opkit::model_export {

inline constexpr const char* kCannotExport = "OPK-EXPORT-001";  // a step that has no source
inline constexpr const char* kNoContract =
    "OPK-EXPORT-002";  // no contract says what an op computes
inline constexpr const char* kFolderTaken = "OPK-EXPORT-003";  // the folder exists

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_CODES_H_
