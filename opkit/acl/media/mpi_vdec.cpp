// Channels that decode: their life and their settings.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/mpi_close.h"

namespace opkit::acl {
namespace {

constexpr hi_u32 kMostFileBytes = 1u << 30, kMostShown = 16;

hi_s32 no_video_decoding(hi_payload_type type) {
  return fail(HI_ERR_VDEC_NOT_SUPPORT,
              "type %d: H.264 and H.265 are not decoded here; decode them in the program (FFmpeg, "
              "GStreamer) and hand their frames on as pictures",
              static_cast<int>(type));
}

// (Vendor's page "hi_vdec_chn_attr".)
hi_s32 judge_decoder(const hi_vdec_chn_attr& attr) {
  if (attr.type == HI_PT_H264 || attr.type == HI_PT_H265) return no_video_decoding(attr.type);
  if (attr.type != HI_PT_JPEG)
    return fail(HI_ERR_VDEC_ILLEGAL_PARAM, "type %d; HI_PT_JPEG (26) is decoded here",
                static_cast<int>(attr.type));
  if (attr.stream_buf_size != 0 && attr.stream_buf_size <= kMostFileBytes) return HI_SUCCESS;
  return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
              "stream_buf_size is %u; the bytes of the largest file are needed, at most %u",
              attr.stream_buf_size, kMostFileBytes);
}

hi_s32 create_decoder(hi_vdec_chn number, const hi_vdec_chn_attr* attr) {
  const Lock lock;
  if (!attr) return no_pointer(HI_ID_VDEC, "attr");
  if (const hi_s32 code = judge_decoder(*attr)) return code;
  auto decoder = std::make_shared<Decoder>();
  decoder->attr = *attr;
  decoder->param.type = attr->type;
  decoder->param.display_frame_num = 2;
  return add_media_channel(&Media::decoders, number, std::move(decoder));
}

hi_vdec_chn_status status_of(const Decoder& decoder) {
  hi_vdec_chn_status status = {};
  status.type = decoder.attr.type;
  status.left_decoded_frames = static_cast<hi_u32>(decoder.frames.size());
  status.is_started = decoder.started ? HI_TRUE : HI_FALSE;
  status.recv_stream_frames = status.dec_stream_frames = decoder.received;
  status.dec_err.format_err = static_cast<hi_s32>(decoder.failed);
  status.width = decoder.width;
  status.height = decoder.height;
  return status;
}

hi_u32 no_video_size(const char* call, hi_payload_type type) {
  told(call, no_video_decoding(type));
  return 0;
}

// A JPEG of that size as it is decoded to that format.
hi_s32 size_picture(const hi_pic_buf_attr& attr, hi_u32& bytes) {
  if (const aclError code = check_pictures()) return media_code(HI_ID_VDEC, code);
  const PictureRules& rules = rules_of();
  const image::PixelLayout* const layout = image::layout_of(attr.pixel_format);
  if (!layout || attr.width == 0 || attr.height == 0 || attr.width > rules.most_decoded ||
      attr.height > rules.most_decoded)
    return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
                "%u x %u pixels of format %d; 1 x 1 to %u x %u, and a format that pictures have, "
                "are possible",
                attr.width, attr.height, static_cast<int>(attr.pixel_format), rules.most_decoded,
                rules.most_decoded);
  bytes = static_cast<hi_u32>(
      image::bytes_of({layout, attr.width, attr.height,
                       round_up(attr.width, rules.decoded_alignment) * layout->row_bytes,
                       round_up(attr.height, rules.decoded_rows)}));
  return HI_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_u32 hi_vdec_get_pic_buf_size(hi_payload_type type,
                                                 const hi_pic_buf_attr* picture) {
  if (type != HI_PT_JPEG) return no_video_size(__func__, type);
  const Lock lock;
  hi_u32 bytes = 0;
  told(__func__, picture ? size_picture(*picture, bytes) : no_pointer(HI_ID_VDEC, "buf_attr"));
  return bytes;
}
OPKIT_ACL_EXPORT hi_u32 hi_vdec_get_tmv_buf_size(hi_payload_type type, hi_u32, hi_u32) {
  return no_video_size(__func__, type);
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_create_chn(hi_vdec_chn number, const hi_vdec_chn_attr* attr) {
  return told(__func__, create_decoder(number, attr));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_destroy_chn(hi_vdec_chn number) {
  return destroy_media_channel(__func__, &Media::decoders, number);
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_get_chn_attr(hi_vdec_chn number, hi_vdec_chn_attr* attr) {
  return answer_channel(__func__, &Media::decoders, number, attr, "attr",
                        [](const Decoder& decoder) { return decoder.attr; });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_set_chn_attr(hi_vdec_chn number, const hi_vdec_chn_attr* attr) {
  if (!attr) return told(__func__, no_pointer(HI_ID_VDEC, "attr"));
  return with_channel(__func__, &Media::decoders, number, [&](Decoder& decoder) -> hi_s32 {
    if (const hi_s32 code = judge_decoder(*attr)) return code;
    if (decoder.started)
      return fail(HI_ERR_VDEC_NOT_PERM,
                  "the channel takes files; call hi_mpi_vdec_stop_recv_stream first");
    decoder.attr = *attr;
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_get_chn_param(hi_vdec_chn number, hi_vdec_chn_param* param) {
  return answer_channel(__func__, &Media::decoders, number, param, "chn_param",
                        [](const Decoder& decoder) { return decoder.param; });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_set_chn_param(hi_vdec_chn number,
                                                  const hi_vdec_chn_param* param) {
  if (!param) return told(__func__, no_pointer(HI_ID_VDEC, "chn_param"));
  return with_channel(__func__, &Media::decoders, number, [&](Decoder& decoder) -> hi_s32 {
    if (param->type != decoder.attr.type || param->display_frame_num > kMostShown)
      return fail(HI_ERR_VDEC_ILLEGAL_PARAM,
                  "type %d and display_frame_num %u; the channel has type %d, and 0 to %u frames "
                  "are possible",
                  static_cast<int>(param->type), param->display_frame_num,
                  static_cast<int>(decoder.attr.type), kMostShown);
    decoder.param = *param;
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_start_recv_stream(hi_vdec_chn number) {
  return with_channel(__func__, &Media::decoders, number, [](Decoder& decoder) {
    decoder.started = true;
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_stop_recv_stream(hi_vdec_chn number) {
  return with_channel(__func__, &Media::decoders, number, [](Decoder& decoder) {
    decoder.started = false;
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_reset_chn(hi_vdec_chn number) {
  return with_channel(__func__, &Media::decoders, number, [](Decoder& decoder) -> hi_s32 {
    if (decoder.started)
      return fail(HI_ERR_VDEC_NOT_PERM,
                  "the channel takes files; call hi_mpi_vdec_stop_recv_stream first");
    decoder.frames.clear();
    decoder.received = decoder.failed = decoder.width = decoder.height = 0;
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_query_status(hi_vdec_chn number, hi_vdec_chn_status* status) {
  return answer_channel(__func__, &Media::decoders, number, status, "status", status_of);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_vdec_get_fd(hi_vdec_chn number) {
  return with_channel(__func__, &Media::decoders, number,
                      [](Decoder& decoder) { return decoder.frames.descriptor(); });
}
