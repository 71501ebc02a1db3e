// JPEGs by hi_mpi_vdec_*: each is decoded while it is sent; its frame waits to be got.
#include <algorithm>
#include <optional>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp_jpeg.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_call.h"

namespace opkit::acl {
namespace {

using image::JpegHeader;
using image::JpegSampling;
using image::Picture;

// A file that was sent. Nothing planned: the frame says that it failed, and why.
struct JpegJob {
  std::string file = {};
  JpegHeader header = {};
  std::optional<Picture> picture = {};
  std::string trouble = {};
  bool is_end = false;  // nothing more comes
};

hi_s32 judge_sent(const Decoder& decoder, const hi_vdec_stream& stream) {
  if (!decoder.started)
    return fail(HI_ERR_VDEC_NOT_PERM,
                "the channel takes no files; call hi_mpi_vdec_start_recv_stream first");
  if (stream.len <= decoder.attr.stream_buf_size) return HI_SUCCESS;
  return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
              "the file has %u bytes, and the channel's stream_buf_size is %u; create it with more",
              stream.len, decoder.attr.stream_buf_size);
}

PictureFields output_fields(const hi_vdec_pic_info& info) {
  PictureFields fields;
  fields.data = reinterpret_cast<void*>(static_cast<uintptr_t>(info.vir_addr));
  fields.size = info.buffer_size;
  fields.format = static_cast<acldvppPixelFormat>(info.pixel_format);
  fields.width_stride = info.width_stride;
  fields.height_stride = info.height_stride;
  return fields;
}

// The output as the file wants it.
hi_s32 plan_jpeg(const PictureFields& fields, const JpegHeader& header, Picture& picture) {
  if (const aclError code = plan_decoded(rules_of(), header, fields, picture))
    return media_code(HI_ID_VDEC, code);
  const uint64_t bytes = image::bytes_of(picture);
  if (fields.size < bytes)
    return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
                "the output has buffer_size %u; %u x %u of %s take %llu bytes "
                "(hi_mpi_vdec_get_jpegd_output_info)",
                fields.size, picture.width_stride, picture.height_stride, picture.layout->name,
                static_cast<unsigned long long>(bytes));
  picture.data = static_cast<uint8_t*>(fields.data);
  return check_media_memory(HI_ID_VDEC, "the output", fields.data, bytes);
}

hi_s32 take_job(const hi_vdec_stream& stream, const hi_vdec_pic_info& info, JpegJob& job) {
  const PictureFields fields = output_fields(info);
  if (const hi_s32 code = check_media_memory(HI_ID_VDEC, "the file", stream.addr, stream.len))
    return code;
  if (const hi_s32 code = check_media_memory(HI_ID_VDEC, "the output", fields.data, fields.size))
    return code;
  // A copy: what is decoded must be what was judged.
  job.file = file_of(stream.addr, stream.len);
  const auto header = image::read_jpeg_header(job.file);
  if (!header.ok()) {
    job.trouble = header.error().to_string();
    return HI_SUCCESS;
  }
  job.header = *header;
  Picture picture;
  if (const hi_s32 code = plan_jpeg(fields, job.header, picture)) return code;
  job.picture = picture;
  return HI_SUCCESS;
}

hi_s32 accept(Decoder& decoder, const hi_vdec_stream* stream, const hi_vdec_pic_info* info,
              JpegJob& job) {
  if (!stream) return no_pointer(HI_ID_VDEC, "stream");
  job.is_end = stream->len == 0 || !stream->addr;
  if (job.is_end && stream->end_of_stream) return HI_SUCCESS;
  if (const hi_s32 code = judge_sent(decoder, *stream)) return code;
  if (job.is_end)
    return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
                "the file has %u bytes at %p; an empty one is sent with end_of_stream only",
                stream->len, static_cast<void*>(stream->addr));
  if (!info) return no_pointer(HI_ID_VDEC, "vdec_pic_info");
  return take_job(*stream, *info, job);
}

void fill_frame(const Picture& picture, hi_video_frame& frame) {
  frame.width = picture.width;
  frame.height = picture.height;
  frame.pixel_format = static_cast<hi_pixel_format>(picture.layout->format);
  frame.width_stride[0] = picture.width_stride;
  frame.height_stride[0] = picture.height_stride;
  if (picture.layout->chroma_strides == 0) return;
  frame.width_stride[1] = picture.width_stride * picture.layout->chroma_strides;
  frame.height_stride[1] = image::samples_of(picture.height_stride, picture.layout->subsample_y);
  frame.virt_addr[1] = picture.data + uint64_t{picture.height_stride} * picture.width_stride;
}

DecodedFrame decode_job(const hi_vdec_stream& stream, const hi_vdec_pic_info& info, JpegJob& job) {
  DecodedFrame decoded;
  hi_video_frame& frame = decoded.frame.v_frame;
  decoded.frame.mod_id = HI_ID_VDEC;
  decoded.stream = stream;
  frame.pts = stream.pts;
  frame.field = HI_VIDEO_FIELD_FRAME;
  frame.pixel_format = info.pixel_format;
  frame.virt_addr[0] = reinterpret_cast<void*>(static_cast<uintptr_t>(info.vir_addr));
  if (job.picture) {
    fill_frame(*job.picture, frame);
    if (store_decoded(job.file, job.header, *job.picture) != ACL_SUCCESS) job.trouble = take_text();
  }
  decoded.trouble = job.trouble;
  frame.frame_flag = job.trouble.empty() ? 0 : 1;
  return decoded;
}

hi_s32 deliver(hi_vdec_chn number, DecodedFrame decoded) {
  const Lock lock;
  std::shared_ptr<Decoder> decoder;
  if (const hi_s32 code = find_media_channel(&Media::decoders, number, decoder)) return code;
  ++decoder->received;
  decoder->failed += decoded.frame.v_frame.frame_flag;
  decoder->width = decoded.frame.v_frame.width;
  decoder->height = decoded.frame.v_frame.height;
  decoder->frames.push(std::move(decoded));
  return HI_SUCCESS;
}

hi_s32 get_frame(hi_vdec_chn number, hi_s32 milliseconds, DecodedFrame& decoded) {
  std::shared_ptr<Decoder> decoder;
  if (const hi_s32 code = check_wait(HI_ID_VDEC, milliseconds)) return code;
  {
    const Lock lock;
    if (const hi_s32 code = find_media_channel(&Media::decoders, number, decoder)) return code;
  }
  return code_of(media().decoders, number, decoder->frames.take(milliseconds, decoded));
}

hi_s32 read_info_header(const hi_vdec_stream* stream, JpegHeader& header) {
  if (!stream || !stream->addr) return no_pointer(HI_ID_VDEC, "stream or its addr");
  if (const hi_s32 code = check_media_host(HI_ID_VDEC, stream->addr)) return code;
  const auto read = image::read_jpeg_header(file_of(stream->addr, stream->len));
  if (!read.ok()) return media_code(HI_ID_VDEC, tell(read.error()));
  header = *read;
  return HI_SUCCESS;
}

hi_s32 plan_info(const JpegHeader& header, hi_pixel_format format, hi_img_info& info) {
  if (const aclError code = check_pictures()) return media_code(HI_ID_VDEC, code);
  PictureFields fields;
  Picture picture;
  fields.format = static_cast<acldvppPixelFormat>(format);
  if (const aclError code = plan_decoded(rules_of(), header, fields, picture))
    return media_code(HI_ID_VDEC, code);
  info = {};
  info.width = picture.width;
  info.height = picture.height;
  info.width_stride = picture.width_stride;
  info.height_stride = picture.height_stride;
  info.img_buf_size = static_cast<hi_u32>(image::bytes_of(picture));
  info.img_pixel_format = static_cast<hi_pixel_format>(picture.layout->format);
  return HI_SUCCESS;
}

hi_jpeg_raw_format raw_format(JpegSampling sampling) {
  switch (sampling) {
    case JpegSampling::k444: return HI_JPEG_RAW_FORMAT_YUV444;
    case JpegSampling::k422: return HI_JPEG_RAW_FORMAT_YUV422;
    case JpegSampling::k420: return HI_JPEG_RAW_FORMAT_YUV420;
    case JpegSampling::k440: return HI_JPEG_RAW_FORMAT_YUV440;
    case JpegSampling::kGray: return HI_JPEG_RAW_FORMAT_YUV400;
    case JpegSampling::k411: return HI_JPEG_RAW_FORMAT_YUV411;
    default: return HI_JPEG_RAW_FORMAT_MAX;
  }
}

hi_s32 tell_image_info(hi_payload_type type, const hi_vdec_stream* stream, hi_img_info* info) {
  const Lock lock;
  JpegHeader header;
  hi_img_info own = {};
  if (!info) return no_pointer(HI_ID_VDEC, "img_info");
  if (type != HI_PT_JPEG)
    return fail(HI_ERR_VDEC_NOT_SUPPORT, "type %d; HI_PT_JPEG (26) is possible",
                static_cast<int>(type));
  if (const hi_s32 code = read_info_header(stream, header)) return code;
  if (const hi_s32 code = plan_info(header, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, *info)) return code;
  if (const hi_s32 code = plan_info(header, HI_PIXEL_FORMAT_UNKNOWN, own)) return code;
  own.img_buf_size = std::max(own.img_buf_size, info->img_buf_size);
  *info = own;
  info->pixel_format = raw_format(header.sampling);
  return HI_SUCCESS;
}

hi_s32 tell_output_info(const hi_vdec_stream* stream, hi_pixel_format format, hi_img_info* info) {
  const Lock lock;
  JpegHeader header;
  if (!info) return no_pointer(HI_ID_VDEC, "img_info");
  if (const hi_s32 code = read_info_header(stream, header)) return code;
  return plan_info(header, format, *info);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_send_stream(hi_vdec_chn number, const hi_vdec_stream* stream,
                                                hi_vdec_pic_info* info, hi_s32 milliseconds) {
  JpegJob job;
  if (const hi_s32 code = check_wait(HI_ID_VDEC, milliseconds)) return told(__func__, code);
  if (const hi_s32 code = with_channel(__func__, &Media::decoders, number, [&](Decoder& decoder) {
        return accept(decoder, stream, info, job);
      }))
    return code;
  if (job.is_end) return HI_SUCCESS;
  return told(__func__, deliver(number, decode_job(*stream, *info, job)));
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_get_frame(hi_vdec_chn number, hi_video_frame_info* frame,
                                              hi_vdec_supplement_info* supplement,
                                              hi_vdec_stream* stream, hi_s32 milliseconds) {
  if (!frame || !stream) return told(__func__, no_pointer(HI_ID_VDEC, "frame_info or stream"));
  DecodedFrame decoded;
  if (const hi_s32 code = get_frame(number, milliseconds, decoded)) return told(__func__, code);
  *frame = decoded.frame;
  *stream = decoded.stream;
  if (supplement) *supplement = {};
  if (!decoded.trouble.empty())
    fail(HI_ERR_VDEC_SYS_ERROR, "%s: %s", __func__, decoded.trouble.c_str());
  return HI_SUCCESS;
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_release_frame(hi_vdec_chn number,
                                                  const hi_video_frame_info* frame) {
  if (!frame) return told(__func__, no_pointer(HI_ID_VDEC, "frame_info"));
  // The memory is the program's.
  return with_channel(__func__, &Media::decoders, number, [](Decoder&) { return HI_SUCCESS; });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_dvpp_get_image_info(hi_payload_type type,
                                                   const hi_vdec_stream* stream,
                                                   hi_img_info* info) {
  return told(__func__, tell_image_info(type, stream, info));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_get_jpegd_output_info(const hi_vdec_stream* stream,
                                                          hi_pixel_format format,
                                                          hi_img_info* info) {
  return told(__func__, tell_output_info(stream, format, info));
}
