// What programs have handles of for image pre-processing. A picture's fields outlive its handle for
// as long as a task looks at them.
#ifndef OPKIT_ACL_MEDIA_DVPP_H_
#define OPKIT_ACL_MEDIA_DVPP_H_

#include <array>
#include <memory>
#include <vector>

#include "acl/ops/acl_dvpp.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/media/image/transform.h"

struct acldvppChannelDesc {
  bool created = false;
  uint32_t mode = DVPP_CHNMODE_VPC | DVPP_CHNMODE_JPEGD | DVPP_CHNMODE_JPEGE | DVPP_CHNMODE_PNGD;
  uint64_t id = 0;
  uint32_t standard = ACL_DVPP_CSC_MATRIX_BT601_WIDE;
  std::array<uint32_t, 2> most = {8192, 8192};  // height, width of what it encodes
};

namespace opkit::acl {

struct PictureFields {
  void* data = nullptr;
  uint32_t size = 0;
  acldvppPixelFormat format = PIXEL_FORMAT_YUV_400;
  uint32_t width = 0, height = 0, width_stride = 0, height_stride = 0, ret_code = 0;
  uint32_t awaited = 0;  // tasks that are to write into it
};

}  // namespace opkit::acl

struct acldvppPicDesc {
  std::shared_ptr<opkit::acl::PictureFields> fields = std::make_shared<opkit::acl::PictureFields>();
  bool of_batch = false;
};

struct acldvppBatchPicDesc {
  std::vector<acldvppPicDesc*> pictures;
};

// right and bottom are the last ones inside.
struct acldvppRoiConfig {
  uint32_t left = 0, right = 0, top = 0, bottom = 0;
};

struct acldvppResizeConfig {
  uint32_t interpolation = 0;
};

struct acldvppBorderConfig {
  std::array<double, 4> values = {};
  acldvppBorderType type = BORDER_CONSTANT;
  uint32_t left = 0, right = 0, top = 0, bottom = 0;
};

struct acldvppJpegeConfig {
  uint32_t level = 100;
};

namespace opkit::acl {

struct DvppObjects {
  HandleTable<acldvppChannelDesc> channels{"acldvppChannelDesc"};
  HandleTable<acldvppBatchPicDesc> batches{"acldvppBatchPicDesc"};
  HandleTable<acldvppPicDesc> pictures{"acldvppPicDesc"};
  HandleTable<acldvppRoiConfig> regions{"acldvppRoiConfig"};
  HandleTable<acldvppResizeConfig> resize_configs{"acldvppResizeConfig"};
  HandleTable<acldvppBorderConfig> border_configs{"acldvppBorderConfig"};
  HandleTable<acldvppJpegeConfig> jpeg_configs{"acldvppJpegeConfig"};
};

// Returns what the program has of them, made on first use and never destroyed; what is left of them
// is told when the program's use of the runtime ends. REQUIRES: the tables are used with the lock
// held.
DvppObjects& dvpp();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_H_
