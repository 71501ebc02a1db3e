// A folder that build files of the vendor's toolkit find their headers, libraries and programs in.
#ifndef OPKIT_BUILD_PROJECT_TOOLKIT_H_
#define OPKIT_BUILD_PROJECT_TOOLKIT_H_

#include <filesystem>
#include <vector>

#include "opkit/build/project/nn_header.h"
#include "opkit/build/project/sdk.h"

namespace opkit::project {

// include/, lib64/, bin/ and set_env.sh; headers and libraries are links into the SDK. `headers`:
// of installed ops, found as aclnnop/aclnn_<op>.h and op_proto.h. A toolkit that is there already
// is made anew: ops may have been installed since. Errors: OPK-TOOLKIT-001 the folder is there, and
// is neither empty nor a toolkit; OPK-TOOLKIT-002 it cannot be written. Then nothing of it is left.
Status write_toolkit(const Sdk& sdk, const OpHeaders& headers, const std::filesystem::path& folder);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_TOOLKIT_H_
