#include "opkit/acl/dvpp_jpeg.h"

#include <utility>

namespace opkit::acl {
namespace {

using image::JpegSampling;
using image::PixelFormat;

// As the file has it, V in front of U. REQUIRES: a sampling that is decoded.
PixelFormat own_format(JpegSampling sampling) {
  switch (sampling) {
    case JpegSampling::k444: return PixelFormat::kYvu444Sp;
    case JpegSampling::k422: return PixelFormat::kYvu422Sp;
    case JpegSampling::k440: return PixelFormat::kYvu440Sp;
    case JpegSampling::kGray: return PixelFormat::kGray;
    default: return PixelFormat::kNv21;
  }
}

// A turn by a quarter swaps what lies across and what lies down.
JpegSampling turned(JpegSampling sampling) {
  if (sampling == JpegSampling::k422) return JpegSampling::k440;
  return sampling == JpegSampling::k440 ? JpegSampling::k422 : sampling;
}

aclError find_format(const image::JpegHeader& header, acldvppPixelFormat wanted,
                     image::Picture& picture) {
  const bool lies = header.orientation >= 5;
  const image::PixelLayout* const own = image::layout_of(
      static_cast<int32_t>(own_format(lies ? turned(header.sampling) : header.sampling)));
  picture.layout = wanted == PIXEL_FORMAT_UNKNOWN ? own : image::layout_of(wanted);
  const bool is_420 =
      wanted == PIXEL_FORMAT_YUV_SEMIPLANAR_420 || wanted == PIXEL_FORMAT_YVU_SEMIPLANAR_420;
  const bool same = picture.layout && picture.layout->family == own->family &&
                    picture.layout->subsample_x == own->subsample_x &&
                    picture.layout->subsample_y == own->subsample_y &&
                    picture.layout->row_bytes == 1;
  if (is_420 || same) return ACL_SUCCESS;
  return fail(ACL_ERROR_FORMAT_NOT_MATCH,
              "the JPEG is not decoded to format %d; take YUV420SP (1, 2), %s, or "
              "PIXEL_FORMAT_UNKNOWN (10000)",
              static_cast<int>(wanted), own->name);
}

aclError judge_pixels(const DvppRules& rules, const image::JpegHeader& header) {
  if (header.width >= kLeastDecoded && header.height >= kLeastDecoded &&
      header.width <= rules.most_decoded && header.height <= rules.most_decoded)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the JPEG has %u x %u pixels; %u x %u to %u x %u are decoded", header.width,
              header.height, kLeastDecoded, kLeastDecoded, rules.most_decoded, rules.most_decoded);
}

aclError judge_dim(const char* dim, uint32_t given, uint32_t stored, uint32_t decoded) {
  if (given == 0 || given == stored || given == decoded) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the output's %s is set to %u, the JPEG's is %u; a decoder does not resize (0 lets "
              "the call choose)",
              dim, given, stored);
}

aclError judge_stride(const char* dim, uint32_t given, uint32_t pixels, uint32_t unit,
                      uint32_t& stride) {
  stride = given == 0 ? round_up(pixels, unit) : given;
  if (stride >= pixels && stride % unit == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the output's %s stride is %u; %u pixels want a multiple of %u (0 lets the call "
              "choose)",
              dim, given, pixels, unit);
}

}  // namespace

aclError tell(const Error& error) {
  return fail(error.code == "OPK-IMAGE-002" ? ACL_ERROR_UNSUPPORTED_JPEG : ACL_ERROR_INVALID_PARAM,
              error);
}

aclError plan_decoded(const DvppRules& rules, const image::JpegHeader& header,
                      const PictureFields& fields, image::Picture& picture) {
  if (const aclError code = judge_pixels(rules, header)) return code;
  if (const aclError code = find_format(header, fields.format, picture)) return code;
  uint32_t width = header.width, height = header.height;
  if (header.orientation >= 5) std::swap(width, height);
  picture.width = width / picture.layout->subsample_x * picture.layout->subsample_x;
  picture.height = height / picture.layout->subsample_y * picture.layout->subsample_y;
  if (const aclError code = judge_dim("width", fields.width, width, picture.width)) return code;
  if (const aclError code = judge_dim("height", fields.height, height, picture.height)) return code;
  if (const aclError code = judge_stride("width", fields.width_stride, picture.width,
                                         rules.decoded_alignment, picture.width_stride))
    return code;
  return judge_stride("height", fields.height_stride, picture.height, kDecodedRows,
                      picture.height_stride);
}

}  // namespace opkit::acl
