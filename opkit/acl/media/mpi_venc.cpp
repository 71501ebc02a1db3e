// Channels that encode: their life and their settings.
#include <algorithm>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/mpi_close.h"

namespace opkit::acl {
namespace {

constexpr hi_u32 kOwnTables = 0xFFFFFFFF, kBestQuality = 100;

hi_s32 no_video_encoding(hi_payload_type type) {
  return fail(HI_ERR_VENC_NOT_SUPPORT,
              "type %d: H.264 and H.265 are not encoded here; encode the frames in the program "
              "(FFmpeg, GStreamer)",
              static_cast<int>(type));
}

hi_s32 judge_encoder(const PictureRules& rules, const hi_venc_attr& attr) {
  if (attr.type == HI_PT_H264 || attr.type == HI_PT_H265) return no_video_encoding(attr.type);
  if (attr.type != HI_PT_JPEG)
    return fail(HI_ERR_VENC_ILLEGAL_PARAM, "type %d; HI_PT_JPEG (26) is encoded here",
                static_cast<int>(attr.type));
  const hi_u32 width = attr.max_pic_width, height = attr.max_pic_height;
  if (width >= rules.least_decoded && height >= rules.least_decoded &&
      width <= rules.most_decoded && height <= rules.most_decoded)
    return HI_SUCCESS;
  return fail(HI_ERR_VENC_ILLEGAL_PARAM,
              "max_pic_width %u, max_pic_height %u; %u to %u are possible (is the structure filled "
              "with zeros first?)",
              width, height, rules.least_decoded, rules.most_decoded);
}

hi_s32 create_encoder(hi_venc_chn number, const hi_venc_chn_attr* attr) {
  const Lock lock;
  if (!attr) return no_pointer(HI_ID_VENC, "attr");
  if (const hi_s32 code = judge_encoder(rules_of(), attr->venc_attr)) return code;
  auto encoder = std::make_shared<Encoder>();
  encoder->attr = attr->venc_attr;
  encoder->quality.qfactor = kBestQuality;
  return add_media_channel(&Media::encoders, number, std::move(encoder));
}

// (Vendor's page "hi_venc_jpeg_param".)
hi_s32 judge_quality(const hi_venc_jpeg_param& param) {
  if (param.qfactor == kOwnTables)
    return fail(HI_ERR_VENC_NOT_SUPPORT,
                "qfactor 0xFFFFFFFF: tables of the program's are not taken, because the order of "
                "their numbers is not public; take 1 to %u",
                kBestQuality);
  if (param.qfactor >= 1 && param.qfactor <= kBestQuality) return HI_SUCCESS;
  return fail(HI_ERR_VENC_ILLEGAL_PARAM, "qfactor %u; 1 to %u are possible", param.qfactor,
              kBestQuality);
}

hi_s32 only_video(const char* call, hi_venc_chn number) {
  return with_channel(call, &Media::encoders, number, [](Encoder&) -> hi_s32 {
    return fail(HI_ERR_VENC_NOT_SUPPORT,
                "it is of video; a channel of JPEG has hi_mpi_venc_set_jpeg_param");
  });
}

hi_venc_chn_status encoder_status(const Encoder& encoder) {
  hi_venc_chn_status status = {};
  status.left_stream_frames = static_cast<hi_u32>(encoder.files.size());
  status.left_stream_bytes = static_cast<hi_u32>(encoder.held_bytes);
  status.cur_packs = status.left_stream_frames == 0 ? 0 : 1;
  status.left_recv_pics = static_cast<hi_u32>(std::max(encoder.left_pictures, 0));
  return status;
}

hi_s32 start_encoder(Encoder& encoder, hi_s32 pictures) {
  if (pictures == 0 || pictures < -1)
    return fail(HI_ERR_VENC_ILLEGAL_PARAM,
                "recv_pic_num is %d; -1 (any) and 1 and more are "
                "possible",
                pictures);
  encoder.started = true;
  encoder.left_pictures = pictures;
  return HI_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_create_chn(hi_venc_chn number, const hi_venc_chn_attr* attr) {
  return told(__func__, create_encoder(number, attr));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_destroy_chn(hi_venc_chn number) {
  return destroy_media_channel(__func__, &Media::encoders, number);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_start_chn(hi_venc_chn number,
                                              const hi_venc_start_param* param) {
  if (!param) return told(__func__, no_pointer(HI_ID_VENC, "recv_param"));
  return with_channel(__func__, &Media::encoders, number, [&](Encoder& encoder) {
    return start_encoder(encoder, param->recv_pic_num);
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_stop_chn(hi_venc_chn number) {
  return with_channel(__func__, &Media::encoders, number, [](Encoder& encoder) {
    encoder.started = false;
    encoder.released.notify_all();
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_query_status(hi_venc_chn number, hi_venc_chn_status* status) {
  return answer_channel(__func__, &Media::encoders, number, status, "status", encoder_status);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_fd(hi_venc_chn number) {
  return with_channel(__func__, &Media::encoders, number,
                      [](Encoder& encoder) { return encoder.files.descriptor(); });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_jpeg_param(hi_venc_chn number, hi_venc_jpeg_param* param) {
  return answer_channel(__func__, &Media::encoders, number, param, "jpeg_param",
                        [](const Encoder& encoder) { return encoder.quality; });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_set_jpeg_param(hi_venc_chn number,
                                                   const hi_venc_jpeg_param* param) {
  if (!param) return told(__func__, no_pointer(HI_ID_VENC, "jpeg_param"));
  return with_channel(__func__, &Media::encoders, number, [&](Encoder& encoder) -> hi_s32 {
    if (const hi_s32 code = judge_quality(*param)) return code;
    encoder.quality = *param;
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_chn_param(hi_venc_chn number, hi_venc_chn_param* param) {
  return answer_channel(__func__, &Media::encoders, number, param, "chn_param",
                        [](const Encoder& encoder) { return encoder.param; });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_set_chn_param(hi_venc_chn number,
                                                  const hi_venc_chn_param* param) {
  if (!param) return told(__func__, no_pointer(HI_ID_VENC, "chn_param"));
  return with_channel(__func__, &Media::encoders, number, [&](Encoder& encoder) {
    encoder.param = *param;
    return HI_SUCCESS;
  });
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_set_scene_mode(hi_venc_chn number, const hi_venc_scene_mode) {
  return only_video(__func__, number);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_get_rc_param(hi_venc_chn number, hi_venc_rc_param*) {
  return only_video(__func__, number);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_venc_set_rc_param(hi_venc_chn number, const hi_venc_rc_param*) {
  return only_video(__func__, number);
}
