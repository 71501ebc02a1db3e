// Pyramids and histograms by hi_mpi_vpc_*.
#include <cmath>
#include <cstring>

#include "opkit/acl/device/device.h"
#include "opkit/acl/media/image/pyramid.h"
#include "opkit/acl/media/mpi_vpc.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kMostLevels = 4, kMostPyramid = 2048;

using image::Picture;
using image::PixelFormat;

image::Region all_of(const Picture& picture) { return {0, 0, picture.width, picture.height}; }

// (Vendor's page "hi_mpi_vpc_equalize_hist".)
hi_s32 check_counted(const Picture& picture) {
  switch (picture.layout->format) {
    case PixelFormat::kGray:
    case PixelFormat::kNv12:
    case PixelFormat::kNv21:
    case PixelFormat::kYuv422Sp:
    case PixelFormat::kYvu422Sp:
    case PixelFormat::kYuv444:
    case PixelFormat::kRgb:
    case PixelFormat::kBgr: return HI_SUCCESS;
    default:
      return fail(
          HI_ERR_VPC_NOT_SUPPORT,
          "histograms are not of %s; take YUV400, YUV420SP, YUV422SP, packed YUV444, RGB888 "
          "or BGR888",
          picture.layout->name);
  }
}

hi_s32 take_counted(const hi_vpc_pic_info* info, Picture& picture) {
  if (const hi_s32 code = take_whole_picture({"input"}, info, picture)) return code;
  return check_counted(picture);
}

struct Pyramid {
  image::PyramidFilter filter = {};
  image::BorderType border = {};
  uint8_t value = 0;
  Picture from = {};
  std::vector<Picture> levels = {};
};

void build(const Pyramid& pyramid) {
  image::Planes planes = image::load(pyramid.from, all_of(pyramid.from));
  for (const Picture& level : pyramid.levels) {
    planes.planes[0] =
        image::halved(planes.planes[0], pyramid.filter, pyramid.border, pyramid.value);
    image::store(planes, level, 0, 0);
  }
}

hi_s32 take_pyramid_filter(const hi_s8 weights[][5], hi_u16 divisor, Pyramid& pyramid) {
  constexpr int kBinomial[] = {1, 4, 6, 4, 1};
  if (divisor == 0 || (divisor & (divisor - 1)) != 0)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "divisor %u; a power of 2 is needed", divisor);
  pyramid.filter.divisor = divisor;
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 5; ++j)
      pyramid.filter.weights[i][j] =
          weights ? weights[i][j] : static_cast<int8_t>(kBinomial[i] * kBinomial[j]);
  return HI_SUCCESS;
}

hi_s32 take_pyramid_border(const hi_vpc_make_border_info& info, Pyramid& pyramid) {
  if (info.border_type < HI_BORDER_CONSTANT || info.border_type > HI_BORDER_REFLECT)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "border of type %d; a pyramid has 0 to 2",
                static_cast<int>(info.border_type));
  pyramid.border = static_cast<image::BorderType>(info.border_type);
  const double value = info.scalar_value.val[0];
  if (info.border_type != HI_BORDER_CONSTANT) return HI_SUCCESS;
  if (!(value >= 0 && value <= 255))
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "the border's value is %g; 0 to 255 are possible", value);
  pyramid.value = static_cast<uint8_t>(std::lround(value));
  return HI_SUCCESS;
}

// Judges a picture of the input or of an output. (Vendor's page "hi_mpi_vpc_pyrdown".)
hi_s32 judge_level(const Picture& picture, uint32_t width, uint32_t height, const char* word) {
  if (picture.layout->format != PixelFormat::kGray)
    return fail(HI_ERR_VPC_NOT_SUPPORT, "%s is %s; a pyramid is of YUV400", word,
                picture.layout->name);
  if (picture.width == width && picture.height == height) return HI_SUCCESS;
  return fail(HI_ERR_VPC_ILLEGAL_PARAM,
              "%s has %u x %u pixels; half of the picture before it has %u x %u", word,
              picture.width, picture.height, width, height);
}

hi_s32 take_levels(const hi_vpc_pic_info* from, const hi_vpc_pic_info to[], uint32_t count,
                   Pyramid& pyramid) {
  if (count < 1 || count > kMostLevels)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "%u levels; 1 to %u are possible", count, kMostLevels);
  if (!to) return no_pointer(HI_ID_VPC, "dest_pic");
  if (const hi_s32 code = take_whole_picture({"input"}, from, pyramid.from)) return code;
  const PictureRules& rules = rules_of();
  uint32_t width = pyramid.from.width, height = pyramid.from.height;
  if (const hi_s32 code = judge_level(pyramid.from, width, height, "the input")) return code;
  if (width < rules.least_width << count || height < rules.least_height << count ||
      width > kMostPyramid || height > kMostPyramid)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "the input has %u x %u pixels; for %u levels %u x %u to %u x %u are possible",
                width, height, count, rules.least_width << count, rules.least_height << count,
                kMostPyramid, kMostPyramid);
  for (uint32_t i = 0; i < count; ++i) {
    Picture level;
    width = image::samples_of(width, 2), height = image::samples_of(height, 2);
    if (const hi_s32 code = take_whole_picture({"output", true}, &to[i], level)) return code;
    if (const hi_s32 code = judge_level(level, width, height, "an output")) return code;
    pyramid.levels.push_back(level);
  }
  return HI_SUCCESS;
}

hi_s32 check_pyramid_chip() {
  if (rules_of().pyramids) return HI_SUCCESS;
  return fail(HI_ERR_VPC_NOT_SUPPORT, "this chip has no pyramids; %s",
              chip_that_has(&PictureRules::pyramids).c_str());
}

void count_values(const Picture& picture, hi_vpc_histogram_config* to) {
  const auto counts = image::histogram_of(image::load(picture, all_of(picture)));
  std::memcpy(to->histogram_y_or_r, counts[0].data(), sizeof to->histogram_y_or_r);
  std::memcpy(to->histogram_u_or_g, counts[1].data(), sizeof to->histogram_u_or_g);
  std::memcpy(to->histogram_v_or_b, counts[2].data(), sizeof to->histogram_v_or_b);
}

void remap_values(const Picture& from, const Picture& to, const hi_vpc_lut_remap& map) {
  std::array<std::array<uint8_t, 256>, 3> table;
  std::memcpy(table[0].data(), map.map_value_y_or_r, table[0].size());
  std::memcpy(table[1].data(), map.map_value_u_or_g, table[1].size());
  std::memcpy(table[2].data(), map.map_value_v_or_b, table[2].size());
  image::Planes planes = image::load(from, all_of(from));
  image::remap(planes, table);
  image::store(planes, to, 0, 0);
}

hi_s32 judge_same(const Picture& from, const Picture& to) {
  if (from.layout == to.layout && from.width == to.width && from.height == to.height)
    return HI_SUCCESS;
  return fail(HI_ERR_VPC_ILLEGAL_PARAM,
              "%u x %u pixels of %s come in and %u x %u of %s would go out; size and format stay",
              from.width, from.height, from.layout->name, to.width, to.height, to.layout->name);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_pyrdown(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                           hi_vpc_pic_info to[], hi_u32 levels, hi_s8 weights[][5],
                                           hi_u16 divisor, hi_vpc_make_border_info border,
                                           hi_u32* task, hi_s32 wait) {
  return run_vpc({__func__, chn, task, wait}, [&](const VpcChannel&, VpcWork& work) -> hi_s32 {
    Pyramid pyramid;
    if (const hi_s32 code = check_pyramid_chip()) return code;
    if (const hi_s32 code = take_pyramid_filter(weights, divisor, pyramid)) return code;
    if (const hi_s32 code = take_pyramid_border(border, pyramid)) return code;
    if (const hi_s32 code = take_levels(from, to, levels, pyramid)) return code;
    work.emplace_back([pyramid] { build(pyramid); });
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_calc_hist(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                             hi_vpc_histogram_config* counts, hi_u32* task,
                                             hi_s32 wait) {
  return run_vpc({__func__, chn, task, wait}, [&](const VpcChannel&, VpcWork& work) -> hi_s32 {
    Picture picture;
    if (!counts) return no_pointer(HI_ID_VPC, "hist_config");
    if (const hi_s32 code = take_counted(from, picture)) return code;
    work.emplace_back([picture, counts] { count_values(picture, counts); });
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_equalize_hist(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                                 hi_vpc_pic_info* to, const hi_vpc_lut_remap* map,
                                                 hi_u32* task, hi_s32 wait) {
  return run_vpc({__func__, chn, task, wait}, [&](const VpcChannel&, VpcWork& work) -> hi_s32 {
    Picture input, output;
    if (!map) return no_pointer(HI_ID_VPC, "lut_remap");
    if (const hi_s32 code = take_counted(from, input)) return code;
    if (const hi_s32 code = take_whole_picture({"output", true}, to, output)) return code;
    if (const hi_s32 code = judge_same(input, output)) return code;
    work.emplace_back([input, output, map] { remap_values(input, output, *map); });
    return HI_SUCCESS;
  });
}
