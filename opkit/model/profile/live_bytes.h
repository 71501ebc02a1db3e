// How full a model's block of device memory is while its steps run.
#ifndef OPKIT_MODEL_PROFILE_LIVE_BYTES_H_
#define OPKIT_MODEL_PROFILE_LIVE_BYTES_H_

#include <cstdint>
#include <vector>

#include "opkit/model/file/offline_model.h"

namespace opkit::model_profile {

// For each step the bytes of the plan's block that hold something while it runs: tensors from the
// step that writes them to the last one that reads them, and its workspace. Bytes that several
// tensors share, such as a view and what it shows, count once.
std::vector<uint64_t> live_bytes(const model::Plan& plan);

}  // namespace opkit::model_profile

#endif  // OPKIT_MODEL_PROFILE_LIVE_BYTES_H_
