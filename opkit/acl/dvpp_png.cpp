// PNG is refused by name.
#include "acl/ops/acl_dvpp.h"
#include "opkit/acl/error.h"

namespace opkit::acl {
namespace {

aclError no_png(const char* call) {
  return fail(
      ACL_ERROR_API_NOT_SUPPORT,
      "%s: PNG is not emulated; decode it in the program (OpenCV, libpng) and hand it on as "
      "a picture, or convert it to JPEG",
      call);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppPngGetImageInfo(const void*, uint32_t, uint32_t*, uint32_t*,
                                                 int32_t*) {
  return no_png(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppPngPredictDecSize(const void*, uint32_t, acldvppPixelFormat,
                                                   uint32_t*) {
  return no_png(__func__);
}
OPKIT_ACL_EXPORT aclError acldvppPngDecodeAsync(acldvppChannelDesc*, const void*, uint32_t,
                                                acldvppPicDesc*, aclrtStream) {
  return no_png(__func__);
}
