// Cropping, resizing, pasting, borders and colours by hi_mpi_vpc_*.
#include <cmath>
#include <limits>

#include "opkit/acl/media/mpi_vpc.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kMostVpcRegions = 256;

// A region by its size, as one by its last row and column.
hi_s32 take_region(const char* word, const uint64_t left, const uint64_t top, const uint64_t width,
                   const uint64_t height, std::optional<acldvppRoiConfig>& region) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  if (width == 0 || height == 0 || left + width > kMost || top + height > kMost)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "the %s area has %llu x %llu pixels at column %llu, row %llu; it has some, inside "
                "of the picture",
                word, static_cast<unsigned long long>(width),
                static_cast<unsigned long long>(height), static_cast<unsigned long long>(left),
                static_cast<unsigned long long>(top));
  region = acldvppRoiConfig{static_cast<uint32_t>(left), static_cast<uint32_t>(left + width - 1),
                            static_cast<uint32_t>(top), static_cast<uint32_t>(top + height - 1)};
  return HI_SUCCESS;
}

hi_s32 take_crop(const hi_vpc_crop_region& crop, VpcItem& item) {
  return take_region("crop", crop.left_offset, crop.top_offset, crop.crop_width, crop.crop_height,
                     item.crop);
}

// (Vendor's page "hi_vpc_resize_info".)
hi_s32 take_filter(hi_u32 interpolation, VpcItem& item) {
  if (interpolation > 1)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "interpolation %u; 0 (bilinear) and 1 (nearest) are possible", interpolation);
  item.interpolation = interpolation + 1;  // those of acldvppSetResizeConfigInterpolation
  return HI_SUCCESS;
}

hi_s32 take_scalar(hi_vpc_bord_type type, const hi_vpc_scalar& scalar,
                   acldvppBorderConfig& border) {
  if (type < HI_BORDER_CONSTANT || type > HI_BORDER_REFLECT_101)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "border of type %d; 0 to 3 are possible",
                static_cast<int>(type));
  border.type = static_cast<acldvppBorderType>(type);
  for (size_t i = 0; type == HI_BORDER_CONSTANT && i < 3; ++i) {
    if (!(scalar.val[i] >= 0 && scalar.val[i] <= 255))
      return fail(HI_ERR_VPC_ILLEGAL_PARAM, "value %zu of the border is %g; 0 to 255 are possible",
                  i, scalar.val[i]);
    border.values[i] = scalar.val[i];
  }
  return HI_SUCCESS;
}

// The item of a region, of each kind of regions.
hi_s32 take_item(const hi_vpc_crop_region_info& region, VpcItem& item) {
  item.keeps_size = true;
  return take_crop(region.crop_region, item);
}

hi_s32 take_resized(const hi_vpc_crop_region& crop, const hi_vpc_resize_info& resize, uint64_t left,
                    uint64_t top, VpcItem& item) {
  if (const hi_s32 code = take_crop(crop, item)) return code;
  if (const hi_s32 code = take_filter(resize.interpolation, item)) return code;
  return take_region("paste", left, top, resize.resize_width, resize.resize_height, item.paste);
}

hi_s32 take_item(const hi_vpc_crop_resize_region& region, VpcItem& item) {
  return take_resized(region.crop_region, region.resize_info, 0, 0, item);
}

hi_s32 take_item(const hi_vpc_crop_resize_paste_region& region, VpcItem& item) {
  return take_resized(region.crop_region, region.resize_info, region.dest_left_offset,
                      region.dest_top_offset, item);
}

// The border is what the resized picture leaves of the output.
hi_s32 take_item(const hi_vpc_crop_resize_border_region& region, VpcItem& item) {
  const hi_vpc_pic_info& to = region.dest_pic_info;
  if (const hi_s32 code = take_resized(region.crop_region, region.resize_info,
                                       region.dest_left_offset, region.dest_top_offset, item))
    return code;
  if (item.paste->right >= to.picture_width || item.paste->bottom >= to.picture_height)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "%u x %u pixels at column %u, row %u do not fit into an output of %u x %u",
                region.resize_info.resize_width, region.resize_info.resize_height,
                region.dest_left_offset, region.dest_top_offset, to.picture_width,
                to.picture_height);
  acldvppBorderConfig border;
  border.left = item.paste->left;
  border.top = item.paste->top;
  border.right = to.picture_width - 1 - item.paste->right;
  border.bottom = to.picture_height - 1 - item.paste->bottom;
  item.paste.reset();
  item.border = border;
  return take_scalar(region.border_type, region.scalar_value, *item.border);
}

// regions [0, counts[0]) are of the first input, and so on.
template <typename Region>
struct VpcRegions {
  const hi_vpc_pic_info* const* inputs;
  uint32_t input_count;
  const Region* regions;
  const uint32_t* counts;
};

template <typename Region>
hi_s32 count_regions(const VpcRegions<Region>& all) {
  if (!all.inputs || !all.regions || !all.counts)
    return no_pointer(HI_ID_VPC, "an array of pictures, regions or numbers");
  uint64_t count = 0;
  for (uint32_t i = 0; i < all.input_count && count <= kMostVpcRegions; ++i) count += all.counts[i];
  if (count >= 1 && count <= kMostVpcRegions) return HI_SUCCESS;
  return fail(HI_ERR_VPC_ILLEGAL_PARAM, "%llu regions of %u pictures; 1 to %u are possible",
              static_cast<unsigned long long>(count), all.input_count, kMostVpcRegions);
}

template <typename Region>
hi_s32 add_regions(const VpcChannel& channel, const VpcRegions<Region>& all, VpcWork& work) {
  const Region* region = all.regions;
  for (uint32_t i = 0; i < all.input_count; ++i) {
    for (uint32_t j = 0; j < all.counts[i]; ++j, ++region) {
      VpcItem item;
      if (const hi_s32 code = take_item(*region, item)) return code;
      if (const hi_s32 code =
              add_vpc_item(channel, all.inputs[i], &region->dest_pic_info, std::move(item), work))
        return code;
    }
  }
  return HI_SUCCESS;
}

template <typename Region>
hi_s32 run_regions(const VpcCall& call, const VpcRegions<Region>& all) {
  return run_vpc(call, [&](const VpcChannel& channel, VpcWork& work) -> hi_s32 {
    if (const hi_s32 code = count_regions(all)) return code;
    return add_regions(channel, all, work);
  });
}

hi_s32 run_one(const VpcCall& call, const hi_vpc_pic_info* from, const hi_vpc_pic_info* to,
               const std::function<hi_s32(VpcItem&)>& fill) {
  return run_vpc(call, [&](const VpcChannel& channel, VpcWork& work) -> hi_s32 {
    VpcItem item;
    if (const hi_s32 code = fill(item)) return code;
    return add_vpc_item(channel, from, to, std::move(item), work);
  });
}

void scale(hi_u32& pixels, hi_u32 from, double factor) {
  const double scaled = std::round(from * factor);
  if (pixels == 0 && scaled >= 1 && scaled <= rules_of().most_stride)
    pixels = static_cast<hi_u32>(scaled);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_resize(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                          hi_vpc_pic_info* to, hi_double fx, hi_double fy,
                                          hi_u32 interpolation, hi_u32* task, hi_s32 wait) {
  if (from && to) {
    scale(to->picture_width, from->picture_width, fx);
    scale(to->picture_height, from->picture_height, fy);
  }
  return run_one({__func__, chn, task, wait}, from, to,
                 [&](VpcItem& item) { return take_filter(interpolation, item); });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_crop(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                        hi_vpc_crop_region_info regions[], hi_u32 count,
                                        hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_region_info>{&from, 1, regions, &count});
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_crop_resize(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                               hi_vpc_crop_resize_region regions[], hi_u32 count,
                                               hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_resize_region>{&from, 1, regions, &count});
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                                     hi_vpc_crop_resize_paste_region regions[],
                                                     hi_u32 count, hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_resize_paste_region>{&from, 1, regions, &count});
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_crop_resize_make_border(
    hi_vpc_chn chn, const hi_vpc_pic_info* from, hi_vpc_crop_resize_border_region regions[],
    hi_u32 count, hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_resize_border_region>{&from, 1, regions, &count});
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_batch_crop_resize_paste(
    hi_vpc_chn chn, const hi_vpc_pic_info* from[], hi_u32 pictures,
    hi_vpc_crop_resize_paste_region regions[], hi_u32 counts[], hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_resize_paste_region>{from, pictures, regions, counts});
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_batch_crop_resize_make_border(
    hi_vpc_chn chn, const hi_vpc_pic_info* from[], hi_u32 pictures,
    hi_vpc_crop_resize_border_region regions[], hi_u32 counts[], hi_u32* task, hi_s32 wait) {
  return run_regions({__func__, chn, task, wait},
                     VpcRegions<hi_vpc_crop_resize_border_region>{from, pictures, regions, counts});
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_copy_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                                    hi_vpc_pic_info* to,
                                                    hi_vpc_make_border_info info, hi_u32* task,
                                                    hi_s32 wait) {
  return run_one({__func__, chn, task, wait}, from, to, [&](VpcItem& item) {
    acldvppBorderConfig border;
    border.left = info.left;
    border.right = info.right;
    border.top = info.top;
    border.bottom = info.bottom;
    item.border = border;
    item.keeps_size = true;
    return take_scalar(info.border_type, info.scalar_value, *item.border);
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_convert_color(hi_vpc_chn chn, const hi_vpc_pic_info* from,
                                                 hi_vpc_pic_info* to, hi_u32* task, hi_s32 wait) {
  return run_one({__func__, chn, task, wait}, from, to, [](VpcItem& item) {
    item.keeps_size = true;
    return HI_SUCCESS;
  });
}
