// Channels of the VPC, and tasks on them.
#include "opkit/acl/media/mpi_vpc.h"

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_close.h"

namespace opkit::acl {
namespace {

constexpr const char* kStrideCure = "hi_mpi_sys_get_image_align_info tells one";

hi_s32 create_vpc(hi_vpc_chn number, const hi_vpc_chn_attr* attr) {
  if (!attr) return no_pointer(HI_ID_VPC, "attr");
  return add_media_channel(&Media::vpc, number, std::make_shared<VpcChannel>());
}

hi_s32 judge_call(const VpcCall& call) {
  if (!call.task_id) return no_pointer(HI_ID_VPC, "task_id");
  return check_wait(HI_ID_VPC, call.milliseconds);
}

hi_s32 finish_task(const VpcCall& call) {
  const Lock lock;
  std::shared_ptr<VpcChannel> channel;
  if (const hi_s32 code = find_media_channel(&Media::vpc, call.channel, channel)) return code;
  *call.task_id = ++channel->last_task;
  channel->done.insert(channel->last_task);
  return HI_SUCCESS;
}

}  // namespace

hi_s32 run_vpc(const VpcCall& call, const VpcJudge& judge) {
  if (const hi_s32 code = judge_call(call)) return told(call.name, code);
  VpcWork work;
  const hi_s32 judged =
      with_channel(call.name, &Media::vpc, call.channel,
                   [&](const VpcChannel& channel) { return judge(channel, work); });
  if (judged) return judged;
  for (const std::function<void()>& step : work) step();
  return told(call.name, finish_task(call));
}

hi_s32 take_vpc_picture(const char* word, const hi_vpc_pic_info* picture, PictureFields& fields) {
  if (!picture) return no_pointer(HI_ID_VPC, word);
  fields.data = picture->picture_address;
  fields.size = picture->picture_buffer_size;
  fields.format = static_cast<acldvppPixelFormat>(picture->picture_format);
  fields.width = picture->picture_width;
  fields.height = picture->picture_height;
  fields.width_stride = picture->picture_width_stride;
  fields.height_stride = picture->picture_height_stride;
  if (!fields.data) return no_pointer(HI_ID_VPC, word);
  if (fields.width_stride == 0 || fields.height_stride == 0)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM, "%s has strides of %u and %u; %s", word,
                fields.width_stride, fields.height_stride, kStrideCure);
  const image::PixelLayout* const layout = image::layout_of(fields.format);
  if (!layout)
    return fail(HI_ERR_VPC_NOT_SUPPORT,
                "%s has format %d, which the VPC does not take here; take 0 to 17, 1000 or 1001 of "
                "hi_pixel_format",
                word, static_cast<int>(fields.format));
  const uint64_t bytes = image::bytes_of(
      {layout, fields.width, fields.height, fields.width_stride, fields.height_stride});
  if (fields.size < bytes)
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "%s has picture_buffer_size %u; %u x %u of %s take %llu bytes", word, fields.size,
                fields.width_stride, fields.height_stride, layout->name,
                static_cast<unsigned long long>(bytes));
  return check_media_memory(HI_ID_VPC, word, fields.data, bytes);
}

hi_s32 add_vpc_item(const VpcChannel& channel, const hi_vpc_pic_info* from,
                    const hi_vpc_pic_info* to, VpcItem item, VpcWork& work) {
  PictureFields input, output;
  if (const hi_s32 code = take_vpc_picture("the input", from, input)) return code;
  if (const hi_s32 code = take_vpc_picture("the output", to, output)) return code;
  item.standard = channel.standard;
  item.stride_cure = kStrideCure;
  image::Transform transform;
  if (const aclError code = plan(item, input, output, transform))
    return media_code(HI_ID_VPC, code);
  work.emplace_back([transform] { image::run(transform); });
  return HI_SUCCESS;
}

hi_s32 take_whole_picture(const PictureSide& side, const hi_vpc_pic_info* picture,
                          image::Picture& taken) {
  PictureFields fields;
  const std::string word = std::string("the ") + side.word;
  if (const hi_s32 code = take_vpc_picture(word.c_str(), picture, fields)) return code;
  if (const aclError code = judge_picture(fields, {side.word, side.is_output, kStrideCure}, taken))
    return media_code(HI_ID_VPC, code);
  taken.data = static_cast<uint8_t*>(fields.data);
  return HI_SUCCESS;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_create_chn(hi_vpc_chn number, const hi_vpc_chn_attr* attr) {
  const Lock lock;
  return told(__func__, create_vpc(number, attr));
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_sys_create_chn(hi_vpc_chn* number, const hi_vpc_chn_attr* attr) {
  if (!number) return told(__func__, no_pointer(HI_ID_VPC, "chn"));
  const Lock lock;
  const hi_s32 chosen = media().vpc.free_number();
  if (const hi_s32 code = create_vpc(chosen, attr)) return told(__func__, code);
  *number = chosen;
  return HI_SUCCESS;
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_destroy_chn(hi_vpc_chn number) {
  return destroy_media_channel(__func__, &Media::vpc, number);
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vpc_get_process_result(hi_vpc_chn number, hi_u32 task,
                                                      hi_s32 milliseconds) {
  if (const hi_s32 code = check_wait(HI_ID_VPC, milliseconds)) return told(__func__, code);
  return with_channel(__func__, &Media::vpc, number, [&](VpcChannel& channel) -> hi_s32 {
    if (channel.done.erase(task) == 1) return HI_SUCCESS;
    return fail(HI_ERR_VPC_ILLEGAL_PARAM,
                "channel %d has no task %u whose result is still to be asked for; each one is "
                "asked for once, on the channel that it was sent to",
                number, task);
  });
}
