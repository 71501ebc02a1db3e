// A model's timeline as a Chrome trace, which Perfetto opens: a row for copies, the stream and the
// host.
#ifndef OPKIT_MODEL_PROFILE_TIMELINE_TRACE_H_
#define OPKIT_MODEL_PROFILE_TIMELINE_TRACE_H_

#include <string>

#include "opkit/model/profile/model_profile.h"

namespace opkit::model_profile {

std::string timeline_trace(const ModelProfile& profile);

}  // namespace opkit::model_profile

#endif  // OPKIT_MODEL_PROFILE_TIMELINE_TRACE_H_
