#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/media/dvpp.h"

#include <algorithm>

namespace opkit::acl {
namespace {

using image::Picture;

aclError judge_format(const PictureFields& fields, const PictureSide& side, Picture& picture) {
  picture.layout = image::layout_of(fields.format);
  if (picture.layout) return ACL_SUCCESS;
  return fail(ACL_ERROR_FORMAT_NOT_MATCH,
              "the %s's format %d is none that pictures have here; take 0 to 17 of "
              "acldvppPixelFormat, or 1000 and 1001",
              side.word, static_cast<int>(fields.format));
}

aclError judge_size(const PictureRules& rules, const PictureFields& fields, const PictureSide& side,
                    const Picture& picture) {
  const uint32_t most_width = side.is_output ? rules.most_out_width : rules.most_in;
  const uint32_t most_height = side.is_output ? rules.most_out_height : rules.most_in;
  if (fields.width < rules.least_width || fields.height < rules.least_height ||
      fields.width > most_width || fields.height > most_height)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the %s has %u x %u pixels; %u x %u to %u x %u are possible", side.word,
                fields.width, fields.height, rules.least_width, rules.least_height, most_width,
                most_height);
  if (fields.width % picture.layout->subsample_x != 0 ||
      fields.height % picture.layout->subsample_y != 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the %s has %u x %u pixels; in %s width and height are multiples of %u and %u",
                side.word, fields.width, fields.height, picture.layout->name,
                picture.layout->subsample_x, picture.layout->subsample_y);
  return ACL_SUCCESS;
}

aclError judge_width_stride(const PictureRules& rules, const PictureFields& fields,
                            const PictureSide& side, Picture& picture) {
  const uint32_t least =
      std::max(round_up(fields.width, rules.width_alignment) * picture.layout->row_bytes,
               rules.least_stride);
  picture.width_stride = fields.width_stride == 0 ? least : fields.width_stride;
  if (picture.width_stride >= least && picture.width_stride <= rules.most_stride &&
      picture.width_stride % rules.width_alignment == 0)
    return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "the %s's width stride is %u; %u pixels of %s want a multiple of %u from %u to %u "
              "bytes (%s)",
              side.word, fields.width_stride, fields.width, picture.layout->name,
              rules.width_alignment, least, rules.most_stride, side.stride_cure);
}

aclError judge_height_stride(const PictureRules& rules, const PictureFields& fields,
                             const PictureSide& side, Picture& picture) {
  const uint32_t unit = std::max<uint32_t>(rules.height_alignment, picture.layout->subsample_y);
  const uint32_t least = round_up(fields.height, unit);
  picture.height_stride = fields.height_stride == 0 ? least : fields.height_stride;
  if (picture.height_stride >= least && picture.height_stride <= rules.most_stride &&
      picture.height_stride % unit == 0)
    return ACL_SUCCESS;
  return fail(
      ACL_ERROR_INVALID_PARAM,
      "the %s's height stride is %u; %u rows of %s want a multiple of %u from %u to %u (%s)",
      side.word, fields.height_stride, fields.height, picture.layout->name, unit, least,
      rules.most_stride, side.stride_cure);
}

}  // namespace

aclError PictureUse::of(const acldvppPicDesc* desc, PictureUse& use) {
  const acldvppPicDesc* const found = dvpp().pictures.find(desc);
  if (!found) return dvpp().pictures.unknown(desc);
  use.live_ = found->fields;
  use.then_ = *found->fields;
  return ACL_SUCCESS;
}

aclError PictureUse::lock(std::shared_ptr<PictureFields>& live) const {
  live = live_.lock();
  if (live) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_INVALID_HANDLE,
              "its acldvppPicDesc was destroyed before the stream did the work; synchronize the "
              "stream first");
}

aclError PictureUse::read_input(PictureFields& fields) const {
  std::shared_ptr<PictureFields> live;
  if (const aclError code = lock(live)) return code;
  fields = is_awaited() ? *live : then_;
  return ACL_SUCCESS;
}

aclError PictureUse::read_output(PictureFields& fields) const {
  std::shared_ptr<PictureFields> live;
  if (const aclError code = lock(live)) return code;
  fields = then_;
  return ACL_SUCCESS;
}

void PictureUse::await() const {
  if (const std::shared_ptr<PictureFields> live = live_.lock()) ++live->awaited;
}

void PictureUse::answer(const PictureFields& fields, aclError code) const {
  const Lock lock;
  const std::shared_ptr<PictureFields> live = live_.lock();
  if (!live) return;
  if (live->awaited != 0) --live->awaited;
  live->ret_code = static_cast<uint32_t>(code);
  if (code != ACL_SUCCESS) return;
  live->format = fields.format;
  live->width = fields.width;
  live->height = fields.height;
  live->width_stride = fields.width_stride;
  live->height_stride = fields.height_stride;
}

aclError judge_picture(const PictureFields& fields, const PictureSide& side, Picture& picture) {
  const PictureRules& rules = rules_of();
  picture.width = fields.width;
  picture.height = fields.height;
  if (const aclError code = judge_format(fields, side, picture)) return code;
  if (const aclError code = judge_size(rules, fields, side, picture)) return code;
  if (const aclError code = judge_width_stride(rules, fields, side, picture)) return code;
  if (const aclError code = judge_height_stride(rules, fields, side, picture)) return code;
  return judge_memory(fields, side, picture);
}

aclError judge_memory(const PictureFields& fields, const PictureSide& side,
                      const Picture& picture) {
  const uint64_t bytes = image::bytes_of(picture);
  if (!fields.data)
    return fail(ACL_ERROR_INVALID_PARAM, "the %s has no memory; call acldvppSetPicDescData",
                side.word);
  if (fields.size < bytes)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the %s's memory has %u bytes (acldvppSetPicDescSize); %u x %u of %s take %llu",
                side.word, fields.size, picture.width_stride, picture.height_stride,
                picture.layout->name, static_cast<unsigned long long>(bytes));
  const DeviceMemory& memory = the_device().memory();
  if (memory.holds(fields.data, bytes)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID,
              "the %s at %p with %llu bytes is no device memory of acldvppMalloc: %s", side.word,
              fields.data, static_cast<unsigned long long>(bytes),
              memory.about(fields.data).c_str());
}

aclError find_channel(const acldvppChannelDesc* desc, uint32_t mode, acldvppChannelDesc& channel) {
  const acldvppChannelDesc* const found = dvpp().channels.find(desc);
  if (!found) return dvpp().channels.unknown(desc);
  if (!found->created)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the channel is not there; call acldvppCreateChannel first, and "
                "acldvppDestroyChannel last");
  if ((found->mode & mode) == 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "the channel's mode is %u, this call wants %u in it; see "
                "acldvppSetChannelDescMode",
                found->mode, mode);
  channel = *found;
  return ACL_SUCCESS;
}

aclError check_file(const void* data, uint64_t size, const char* word) {
  if (!data || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "%s: %llu bytes at %p", word,
                static_cast<unsigned long long>(size), data);
  const DeviceMemory& memory = the_device().memory();
  if (memory.holds(data, size)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID,
              "%s at %p with %llu bytes is no device memory of acldvppMalloc: %s", word, data,
              static_cast<unsigned long long>(size), memory.about(data).c_str());
}

PictureFields fields_of(const image::Picture& picture) {
  PictureFields fields;
  fields.format = static_cast<acldvppPixelFormat>(picture.layout->format);
  fields.width = picture.width;
  fields.height = picture.height;
  fields.width_stride = picture.width_stride;
  fields.height_stride = picture.height_stride;
  return fields;
}

aclError check_on_host(const void* data) {
  const DeviceMemory& memory = the_device().memory();
  if (!memory.touches(data) || memory.is_hosts(data)) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "%p is device memory; this call reads the file in host memory", data);
}

aclError failed_task(const char* call) {
  return fail(ACL_ERROR_RT_AICPU_EXCEPTION, "%s: %s", call, take_text().c_str());
}

}  // namespace opkit::acl
