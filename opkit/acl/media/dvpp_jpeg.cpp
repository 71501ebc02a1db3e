#include "opkit/acl/media/dvpp_jpeg.h"

#include <algorithm>
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

aclError judge_pixels(const PictureRules& rules, const image::JpegHeader& header) {
  if (header.width >= rules.least_decoded && header.height >= rules.least_decoded &&
      header.width <= rules.most_decoded && header.height <= rules.most_decoded)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the JPEG has %u x %u pixels; %u x %u to %u x %u are decoded", header.width,
              header.height, rules.least_decoded, rules.least_decoded, rules.most_decoded,
              rules.most_decoded);
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

// Odd pixels that the format has no place for are left out.
image::Planes without_odd(image::Planes planes, uint32_t width, uint32_t height) {
  for (size_t i = 0; i < image::count_of(planes.family); ++i) {
    const image::Plane& plane = planes.planes[i];
    image::Plane cut(i == 0 ? width : image::samples_of(width, planes.subsample_x),
                     i == 0 ? height : image::samples_of(height, planes.subsample_y));
    for (uint32_t y = 0; y < cut.height; ++y) std::copy_n(plane.row(y), cut.width, cut.row(y));
    planes.planes[i] = std::move(cut);
  }
  return planes;
}

aclError judge_encoded_strides(const PictureRules& rules, const PictureFields& fields,
                               image::Picture& picture) {
  const uint32_t row = round_up(fields.width * picture.layout->row_bytes, 16);
  picture.width_stride = fields.width_stride == 0 ? row : fields.width_stride;
  picture.height_stride = fields.height_stride == 0 ? fields.height : fields.height_stride;
  const bool height_fits =
      picture.height_stride == fields.height ||
      (picture.height_stride > fields.height && picture.height_stride % 16 == 0);
  if (picture.width_stride >= row && picture.width_stride % 16 == 0 && height_fits &&
      std::max(picture.width_stride, picture.height_stride) <= 2 * rules.most_stride)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the input's strides are %u and %u; %u x %u pixels of %s want a width stride of a "
              "multiple of 16 from %u, and a height stride of %u or a multiple of 16 above it",
              fields.width_stride, fields.height_stride, fields.width, fields.height,
              picture.layout->name, row, fields.height);
}

}  // namespace

aclError tell(const Error& error) {
  return fail(
      error.is(Cause::kUnreadPicture) ? ACL_ERROR_UNSUPPORTED_JPEG : ACL_ERROR_INVALID_PARAM,
      error);
}

aclError plan_decoded(const PictureRules& rules, const image::JpegHeader& header,
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
  return judge_stride("height", fields.height_stride, picture.height, rules.decoded_rows,
                      picture.height_stride);
}

aclError store_decoded(std::string_view file, const image::JpegHeader& header,
                       const image::Picture& picture) {
  auto planes = image::decode_jpeg(file);
  if (!planes.ok()) return tell(planes.error());
  image::store(image::fitted(without_odd(image::upright(*std::move(planes), header.orientation),
                                         picture.width, picture.height),
                             *picture.layout, picture.width, picture.height,
                             image::Filter::kBilinear, image::ColorStandard::kBt601Wide),
               picture, 0, 0);
  return ACL_SUCCESS;
}

aclError plan_encoded(const std::array<uint32_t, 2>& most, const PictureFields& fields,
                      image::Picture& picture) {
  const PictureRules& rules = rules_of();
  picture.layout = image::layout_of(fields.format);
  const bool semi_planar = fields.format == 1 || fields.format == 2;
  if (!semi_planar && (fields.format < PIXEL_FORMAT_YUYV_PACKED_422 ||
                       fields.format > PIXEL_FORMAT_VYUY_PACKED_422))
    return fail(ACL_ERROR_FORMAT_NOT_MATCH,
                "a picture of format %d is not encoded; take YUV420SP (1, 2) or packed YUV422 (7 "
                "to 10)",
                static_cast<int>(fields.format));
  picture.width = fields.width;
  picture.height = fields.height;
  if (fields.width < rules.least_decoded || fields.height < rules.least_decoded ||
      fields.width > most[1] || fields.height > most[0] || fields.width % 2 != 0 ||
      (semi_planar && fields.height % 2 != 0))
    return fail(ACL_ERROR_INVALID_PARAM,
                "the input has %u x %u pixels; %u x %u to %u x %u are encoded, even ones",
                fields.width, fields.height, rules.least_decoded, rules.least_decoded, most[1],
                most[0]);
  if (const aclError code = judge_encoded_strides(rules, fields, picture)) return code;
  picture.data = static_cast<uint8_t*>(fields.data);
  return judge_memory(fields, {"input", false}, picture);
}

}  // namespace opkit::acl
