#include "opkit/acl/media/dvpp_vpc.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"

#include <algorithm>
#include <cmath>

namespace opkit::acl {
namespace {

using image::Region;
using image::Transform;

Region whole(const image::Picture& picture) { return {0, 0, picture.width, picture.height}; }

aclError judge_parity(const PictureRules& rules, const acldvppRoiConfig& roi, const char* word) {
  if (!rules.even_regions ||
      (roi.left % 2 == 0 && roi.top % 2 == 0 && roi.right % 2 == 1 && roi.bottom % 2 == 1))
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the %s area is left %u, right %u, top %u, bottom %u; on this chip left and top are "
              "even, right and bottom odd",
              word, roi.left, roi.right, roi.top, roi.bottom);
}

aclError judge_region(const PictureRules& rules, const acldvppRoiConfig& roi, const char* word,
                      const image::Picture& picture, Region& region) {
  const bool inside = roi.left <= roi.right && roi.top <= roi.bottom && roi.right < picture.width &&
                      roi.bottom < picture.height;
  if (!inside)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the %s area is left %u, right %u, top %u, bottom %u; the picture has %u x %u "
                "pixels, and right and bottom are the last ones inside",
                word, roi.left, roi.right, roi.top, roi.bottom, picture.width, picture.height);
  region = {roi.left, roi.top, roi.right - roi.left + 1, roi.bottom - roi.top + 1};
  if (region.width < rules.least_width || region.height < rules.least_height)
    return fail(ACL_ERROR_INVALID_PARAM, "the %s area has %u x %u pixels; %u x %u are the least",
                word, region.width, region.height, rules.least_width, rules.least_height);
  return judge_parity(rules, roi, word);
}

aclError judge_paste(const PictureRules& rules, const acldvppRoiConfig& roi,
                     const image::Picture& picture, Region& region) {
  if (const aclError code = judge_region(rules, roi, "paste", picture, region)) return code;
  if (roi.left % rules.paste_alignment == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the paste area begins at column %u; on this chip it is a multiple of %u", roi.left,
              rules.paste_alignment);
}

aclError judge_reflection(const PictureRules& rules, const acldvppBorderConfig& given) {
  if (given.type != BORDER_REFLECT && given.type != BORDER_REFLECT_101) return ACL_SUCCESS;
  if (rules.most_reflected == 0)
    return fail(ACL_ERROR_API_NOT_SUPPORT,
                "this chip mirrors no borders; take constant ones (0), "
                "or those that repeat the edge (1)");
  const uint32_t most = std::max({given.left, given.right, given.top, given.bottom});
  if (most <= rules.most_reflected) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "a mirrored border of %u pixels; on this chip it has up to %u on each side", most,
              rules.most_reflected);
}

// The pixels inside of the border.
aclError judge_border(const PictureRules& rules, const acldvppBorderConfig& given,
                      Transform& transform, Region& inner) {
  if (const aclError code = judge_reflection(rules, given)) return code;
  const uint32_t x = transform.to.layout->subsample_x, y = transform.to.layout->subsample_y;
  const uint64_t across = uint64_t{given.left} + given.right;
  const uint64_t down = uint64_t{given.top} + given.bottom;
  if (across >= inner.width || down >= inner.height)
    return fail(ACL_ERROR_INVALID_PARAM,
                "borders of %llu columns and %llu rows leave nothing of an output of %u x %u",
                static_cast<unsigned long long>(across), static_cast<unsigned long long>(down),
                inner.width, inner.height);
  if (given.left % x || given.right % x || given.top % y || given.bottom % y)
    return fail(ACL_ERROR_INVALID_PARAM,
                "borders of %u, %u, %u, %u (left, right, top, bottom); of %s they are multiples of "
                "%u across and %u down",
                given.left, given.right, given.top, given.bottom, transform.to.layout->name, x, y);
  image::Border border{given.left, given.top, given.right, given.bottom,
                       static_cast<image::BorderType>(given.type)};
  for (size_t i = 0; i < 3; ++i)
    border.color[i] = static_cast<uint8_t>(std::lrint(given.values[i]));
  transform.border = border;
  inner.width -= static_cast<uint32_t>(across);
  inner.height -= static_cast<uint32_t>(down);
  return ACL_SUCCESS;
}

aclError judge_filter(const PictureRules& rules, uint32_t interpolation, Transform& transform) {
  const bool own = interpolation == 5 || (interpolation == 0 && rules.own_filter);
  if (own)
    return fail(ACL_ERROR_API_NOT_SUPPORT,
                "interpolation %u is a filter of the vendor's that is not public; set 1 (bilinear) "
                "or 2 (nearest) by acldvppSetResizeConfigInterpolation",
                interpolation);
  if (interpolation >= 3 && rules.own_filter)
    return fail(ACL_ERROR_API_NOT_SUPPORT,
                "interpolation %u is TensorFlow's on this chip, and where its pixels lie is not "
                "public; set 1 (bilinear) or 2 (nearest) by acldvppSetResizeConfigInterpolation",
                interpolation);
  if (interpolation >= 3 && !rules.other_filters)
    return fail(ACL_ERROR_API_NOT_SUPPORT, "this chip has no interpolation %u; take 1 or 2",
                interpolation);
  const bool nearest = interpolation == 2 || interpolation == 4;
  transform.filter = nearest ? image::Filter::kNearest : image::Filter::kBilinear;
  return ACL_SUCCESS;
}

aclError judge_growth(const PictureRules& rules, uint32_t from, uint32_t to, const char* dim) {
  if (rules.most_growth == 0 ||
      (to <= uint64_t{from} * rules.most_growth && from <= uint64_t{to} * rules.most_shrink))
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "%s goes from %u to %u; on this chip it takes 1/%u to %u times", dim, from, to,
              rules.most_shrink, rules.most_growth);
}

aclError judge_resize(const PictureRules& rules, const VpcItem& item, const Region& inner,
                      Transform& transform) {
  const Region& crop = transform.crop;
  if (crop.width == inner.width && crop.height == inner.height) return ACL_SUCCESS;
  if (item.keeps_size)
    return fail(ACL_ERROR_INVALID_PARAM,
                "%u x %u pixels come in and %u x %u would go out; this call does not resize",
                crop.width, crop.height, inner.width, inner.height);
  if (const aclError code = judge_filter(rules, item.interpolation, transform)) return code;
  if (const aclError code = judge_growth(rules, crop.width, inner.width, "the width")) return code;
  return judge_growth(rules, crop.height, inner.height, "the height");
}

aclError judge_colors(const PictureRules& rules, const Transform& transform) {
  using enum image::ColorFamily;
  const image::PixelLayout &from = *transform.from.layout, &to = *transform.to.layout;
  if (from.family == to.family || rules.converts) return ACL_SUCCESS;
  if (from.family != kRgb && to.family == kYuv) return ACL_SUCCESS;
  return fail(ACL_ERROR_API_NOT_SUPPORT, "this chip does not make %s of %s", to.name, from.name);
}

aclError plan_regions(const PictureRules& rules, const VpcItem& item, Transform& transform) {
  transform.crop = whole(transform.from);
  transform.paste = whole(transform.to);
  if (item.crop) {
    if (const aclError code =
            judge_region(rules, *item.crop, "crop", transform.from, transform.crop))
      return code;
  }
  if (!item.paste) return ACL_SUCCESS;
  return judge_paste(rules, *item.paste, transform.to, transform.paste);
}

PictureFields sized(const VpcItem& item, const PictureFields& from, PictureFields to) {
  if (item.keeps_size && !item.border && (to.width == 0 || to.height == 0)) {
    to.width = from.width;
    to.height = from.height;
  }
  return to;
}

aclError plan_now(const VpcItem& item, Transform& transform) {
  const Lock lock;
  PictureFields from, to;
  if (const aclError code = item.from.read_input(from)) return code;
  if (const aclError code = item.to.read_output(to)) return code;
  return plan(item, from, to, transform);
}

aclError run_item(const char* call, const VpcItem& item) {
  Transform transform;
  if (plan_now(item, transform) != ACL_SUCCESS) {
    const aclError code = faults().keep_task(failed_task(call));
    item.to.answer({}, code);
    return code;
  }
  image::run(transform);
  item.to.answer(fields_of(transform.to), ACL_SUCCESS);
  return ACL_SUCCESS;
}

aclError run_task(const VpcTask& vpc) {
  aclError first = ACL_SUCCESS;
  std::string text;
  for (const VpcItem& item : vpc.items) {
    const aclError code = run_item(vpc.call, item);
    if (code == ACL_SUCCESS || first != ACL_SUCCESS) continue;
    first = code;
    text = take_text();
  }
  return first ? fail(first, "%s", text.c_str()) : aclError{ACL_SUCCESS};
}

// Judges what can be judged before the stream comes to it.
aclError judge_item(const VpcItem& item) {
  if (item.from.is_awaited()) return ACL_SUCCESS;
  PictureFields from, to;
  if (const aclError code = item.from.read_input(from)) return code;
  if (const aclError code = item.to.read_output(to)) return code;
  Transform transform;
  return plan(item, from, to, transform);
}

}  // namespace

aclError plan(const VpcItem& item, const PictureFields& from, const PictureFields& to,
              Transform& transform) {
  const PictureRules& rules = rules_of();
  transform.standard = item.standard;
  if (const aclError code = judge_picture(from, {"input", false, item.stride_cure}, transform.from))
    return code;
  if (const aclError code =
          judge_picture(sized(item, from, to), {"output", true, item.stride_cure}, transform.to))
    return code;
  transform.from.data = static_cast<uint8_t*>(from.data);
  transform.to.data = static_cast<uint8_t*>(to.data);
  if (const aclError code = plan_regions(rules, item, transform)) return code;
  if (const aclError code = judge_colors(rules, transform)) return code;
  Region inner = transform.paste;
  if (item.border) {
    if (const aclError code = judge_border(rules, *item.border, transform, inner)) return code;
  }
  return judge_resize(rules, item, inner, transform);
}

aclError prepare_vpc(const acldvppChannelDesc* desc, VpcTask vpc, Task& task) {
  acldvppChannelDesc channel;
  if (const aclError code = find_channel(desc, DVPP_CHNMODE_VPC, channel)) return code;
  for (VpcItem& item : vpc.items) {
    item.standard = static_cast<image::ColorStandard>(channel.standard);
    if (const aclError code = judge_item(item)) return code;
  }
  for (const VpcItem& item : vpc.items) item.to.await();
  task.work = [vpc = std::move(vpc)] { return run_task(vpc); };
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
