// What a chip's image units ask of pictures. (Vendor's pages "VPC Restrictions", "JPEGD Functions
// and Restrictions", "acldvppCreateRoiConfig", "acldvppSetResizeConfigInterpolation",
// "hi_vpc_bord_type".)
#ifndef OPKIT_ACL_MEDIA_DVPP_RULES_H_
#define OPKIT_ACL_MEDIA_DVPP_RULES_H_

#include <cstdint>

namespace opkit::acl {

struct DvppRules {
  uint32_t width_alignment;    // pixels of a width stride
  uint32_t height_alignment;   // rows of a height stride; more where U and V want it
  uint32_t least_stride;       // bytes
  uint32_t most_out_height;    // pixels
  uint32_t decoded_alignment;  // pixels of a decoded JPEG's width stride
  uint32_t most_decoded;       // pixels in each dim of a JPEG
  bool even_regions;           // left and top even, right and bottom odd
  uint32_t paste_alignment;    // pixels of a pasted region's left
  uint32_t most_growth;        // times, of a dim; 0: any. The least is 1/32 then
  bool own_filter;             // interpolation 0 is the vendor's own, 3 and 4 are TensorFlow's
  bool other_filters;          // interpolations 3 and 4
  bool converts;               // colours, borders, channel modes
  uint32_t most_reflected;     // pixels of a mirrored border on each side
};

const DvppRules& dvpp_rules(uint32_t npu_arch);

constexpr uint32_t kLeastWidth = 10, kLeastHeight = 6, kMostWidth = 4096, kMostIn = 8192;
constexpr uint32_t kMostStride = 16384, kDecodedRows = 16, kLeastDecoded = 32, kMostShrink = 32;

inline uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_RULES_H_
