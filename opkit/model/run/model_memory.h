// What a model wants of device memory.
#ifndef OPKIT_MODEL_RUN_MODEL_MEMORY_H_
#define OPKIT_MODEL_RUN_MODEL_MEMORY_H_

#include "opkit/model/file/offline_model.h"

namespace opkit::model_run {

// Bytes of device memory that a model wants, what may be read behind tensors included. `work`: the
// block, the inputs and the outputs, of the gear that takes most, with those of its bodies. At most
// 2^64 - 1.
struct ModelMemory {
  uint64_t weights = 0, work = 0;
};
ModelMemory memory_of(const model::OfflineModel& model);
// Error: OPK-OM-006, the chip has not so much memory.
Status check_fits(const model::OfflineModel& model);

// Returns what one piece of memory takes: 512 bytes may be read behind it.
uint64_t room_of(uint64_t bytes);
// Returns what a plan takes by itself: the bodies of its steps lie behind that, all at one place,
// because one runs at a time.
uint64_t work_of(const model::Plan& plan);

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_MODEL_MEMORY_H_
