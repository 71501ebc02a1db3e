// PNG by hi_mpi_pngd_*: each file is decoded while it is sent; its picture waits to be got.
#include <optional>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp_png.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_close.h"

namespace opkit::acl {
namespace {

struct PngJob {
  std::string file = {};
  std::optional<image::Picture> picture = {};
  hi_s32 code = HI_SUCCESS;
  std::string trouble = {};
};

// Why the file of a job is not decoded.
void give_up(PngJob& job, const Error& error) {
  job.code = error.is(Cause::kUnreadPicture) ? HI_ERR_PNGD_NOT_SUPPORT : HI_ERR_PNGD_SYS_ERROR;
  job.trouble = error.to_string();
}

hi_s32 plan_png_job(const image::PngHeader& header, const hi_pic_info& to, PngJob& job) {
  PictureFields fields;
  image::Picture picture;
  fields.format = static_cast<acldvppPixelFormat>(to.picture_format);
  fields.width_stride = to.picture_width_stride;
  fields.height_stride = to.picture_height_stride;
  if (const aclError code = plan_png(header, fields, picture)) return media_code(HI_ID_PNGD, code);
  const uint64_t bytes = image::bytes_of(picture);
  if (to.picture_buffer_size < bytes)
    return fail(HI_ERR_PNGD_ILLEGAL_PARAM,
                "the output has picture_buffer_size %u; %u x %u of %s take %llu bytes "
                "(hi_mpi_png_get_image_info)",
                to.picture_buffer_size, picture.width_stride, picture.height_stride,
                picture.layout->name, static_cast<unsigned long long>(bytes));
  picture.data = static_cast<uint8_t*>(to.picture_address);
  job.picture = picture;
  return HI_SUCCESS;
}

hi_s32 accept_png(const hi_img_stream* stream, const hi_pic_info* to, PngJob& job) {
  if (!stream || !to) return no_pointer(HI_ID_PNGD, "stream or png_pic_info");
  if (const hi_s32 code = check_media_memory(HI_ID_PNGD, "the file", stream->addr, stream->len))
    return code;
  if (const hi_s32 code = check_media_memory(HI_ID_PNGD, "the output", to->picture_address,
                                             to->picture_buffer_size))
    return code;
  job.file = file_of(stream->addr, stream->len);
  const auto header = image::read_png_header(job.file);
  if (header.ok()) return plan_png_job(*header, *to, job);
  give_up(job, header.error());
  return HI_SUCCESS;
}

DecodedPng decode_png_job(const hi_img_stream& stream, const hi_pic_info& to, PngJob& job) {
  if (job.picture) {
    const Status decoded = image::decode_png(job.file, *job.picture);
    if (!decoded.ok()) give_up(job, decoded.error());
  }
  DecodedPng png{to, stream, job.code, job.trouble};
  if (!job.picture) return png;
  png.picture.picture_width = job.picture->width;
  png.picture.picture_height = job.picture->height;
  png.picture.picture_width_stride = job.picture->width_stride;
  png.picture.picture_height_stride = job.picture->height_stride;
  png.picture.picture_format = static_cast<hi_pixel_format>(job.picture->layout->format);
  return png;
}

hi_s32 find_png(hi_pngd_chn number, std::shared_ptr<PngDecoder>& decoder) {
  const Lock lock;
  return find_media_channel(&Media::png, number, decoder);
}

hi_s32 send_png(hi_pngd_chn number, const hi_img_stream* stream, const hi_pic_info* to,
                hi_s32 milliseconds) {
  std::shared_ptr<PngDecoder> decoder;
  PngJob job;
  if (const hi_s32 code = check_wait(HI_ID_PNGD, milliseconds)) return code;
  if (const hi_s32 code = find_png(number, decoder)) return code;
  {
    const Lock lock;
    if (const hi_s32 code = accept_png(stream, to, job)) return code;
  }
  decoder->pictures.push(decode_png_job(*stream, *to, job));
  return HI_SUCCESS;
}

hi_s32 get_png(hi_pngd_chn number, hi_s32 milliseconds, DecodedPng& png) {
  std::shared_ptr<PngDecoder> decoder;
  if (const hi_s32 code = check_wait(HI_ID_PNGD, milliseconds)) return code;
  if (const hi_s32 code = find_png(number, decoder)) return code;
  return code_of(media().png, number, decoder->pictures.take(milliseconds, png));
}

hi_s32 tell_png_info(const hi_img_stream* stream, hi_img_info* info) {
  if (!stream || !stream->addr || !info) return no_pointer(HI_ID_PNGD, "png_stream or img_info");
  if (const hi_s32 code = check_media_host(HI_ID_PNGD, stream->addr)) return code;
  const auto header = image::read_png_header(file_of(stream->addr, stream->len));
  if (!header.ok()) return media_code(HI_ID_PNGD, tell_png(header.error()));
  PictureFields fields;
  image::Picture picture;
  fields.format = PIXEL_FORMAT_UNKNOWN;
  if (const aclError code = plan_png(*header, fields, picture)) return media_code(HI_ID_PNGD, code);
  *info = {};
  info->width = picture.width;
  info->height = picture.height;
  info->width_stride = picture.width_stride;
  info->height_stride = picture.height_stride;
  info->img_buf_size = static_cast<hi_u32>(image::bytes_of(picture));
  info->png_pixel_format = static_cast<hi_png_color_format>(header->color);
  return HI_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_create_chn(hi_pngd_chn number, const hi_pngd_chn_attr* attr) {
  const Lock lock;
  if (!attr) return told(__func__, no_pointer(HI_ID_PNGD, "attr"));
  return told(__func__, add_media_channel(&Media::png, number, std::make_shared<PngDecoder>()));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_destroy_chn(hi_pngd_chn number) {
  return destroy_media_channel(__func__, &Media::png, number);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_send_stream(hi_pngd_chn number, const hi_img_stream* stream,
                                                hi_pic_info* to, hi_s32 milliseconds) {
  return told(__func__, send_png(number, stream, to, milliseconds));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_get_image_data(hi_pngd_chn number, hi_pic_info* picture,
                                                   hi_img_stream* stream, hi_s32 milliseconds) {
  if (!picture || !stream) return told(__func__, no_pointer(HI_ID_PNGD, "png_pic_info or stream"));
  DecodedPng png;
  if (const hi_s32 code = get_png(number, milliseconds, png)) return told(__func__, code);
  *picture = png.picture;
  *stream = png.stream;
  return png.code ? fail(png.code, "%s: %s", __func__, png.trouble.c_str()) : HI_SUCCESS;
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_png_get_image_info(const hi_img_stream* stream, hi_img_info* info) {
  return told(__func__, tell_png_info(stream, info));
}
