// Whether the parts of an offline model fit each other.
#ifndef OPKIT_MODEL_FILE_VALIDATE_H_
#define OPKIT_MODEL_FILE_VALIDATE_H_

#include "opkit/model/file/offline_model.h"

namespace opkit::model {

// OPK-OM-004 with what does not fit: tensors that are not as long as their dims say or lie outside
// their memory, steps that name tensors or plugins which do not exist or read what nothing wrote,
// weights that the file does not hold.
Status validate(const OfflineModel& model);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_VALIDATE_H_
