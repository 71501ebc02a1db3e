// Offline models as files. docs/om.md is the format.
#ifndef OPKIT_MODEL_FILE_OM_FILE_H_
#define OPKIT_MODEL_FILE_OM_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/model/file/offline_model.h"

namespace opkit::model {

// Writes the same bytes for the same model.
std::string encode(const OfflineModel& model);

// A model whose parts fit each other (validate). The bytes are untrusted: sizes are compared before
// anything is allocated, and nothing is allocated beyond what the bytes hold. Errors: OPK-OM-001 to
// -004.
Result<OfflineModel> decode(std::string_view bytes);

// Errors name the file.
Result<OfflineModel> load(const std::filesystem::path& path);
Status save(const std::filesystem::path& path, const OfflineModel& model);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_OM_FILE_H_
