// What installers write beside a vendor's packages for build files of the vendor's toolkit.
#ifndef OPKIT_BUILD_PROJECT_VENDOR_FILES_H_
#define OPKIT_BUILD_PROJECT_VENDOR_FILES_H_

#include "registry/vendor_layout.h"

namespace opkit::project {

// aclnn_<op>.h as `opkit cc` makes it, a link to this SDK's runtime, and the version of the
// vendor's toolkit that the packages can stand beside.
registry::LayoutMaker layout_maker();

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_VENDOR_FILES_H_
