// What every call of the VPC comes down to: transforms of pictures, as one task of a stream.
#ifndef OPKIT_ACL_MEDIA_DVPP_VPC_H_
#define OPKIT_ACL_MEDIA_DVPP_VPC_H_

#include <optional>
#include <vector>

#include "opkit/acl/media/dvpp_use.h"

namespace opkit::acl {

// One picture to one picture.
struct VpcItem {
  PictureUse from, to;
  std::optional<acldvppRoiConfig> crop = {}, paste = {};  // none: the whole picture
  std::optional<acldvppBorderConfig> border = {};
  uint32_t interpolation = 0;
  bool keeps_size = false;  // an output of 0 pixels takes the input's, another one must have it
  image::ColorStandard standard = image::ColorStandard::kBt601Wide;
  const char* stride_cure = PictureSide{}.stride_cure;
};

struct VpcTask {
  const char* call;
  std::vector<VpcItem> items;
};

// 0 and the transform that the item is for pictures of these fields. REQUIRES: the lock is held.
aclError plan(const VpcItem& item, const PictureFields& from, const PictureFields& to,
              image::Transform& transform);

// Judges the items and fills the task in. REQUIRES: the same.
aclError prepare_vpc(const acldvppChannelDesc* channel, VpcTask vpc, Task& task);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_VPC_H_
