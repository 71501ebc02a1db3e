// The system's part of hi_mpi_*: beginning and end, memory, strides, colours.
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/media/dvpp_use.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_call.h"
#include "opkit/acl/media/mpi_close.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kEncodedPixels = 16, kVideoRows = 2, kPngPixels = 16;

// What a module asks of strides. (Vendor's page "hi_mpi_sys_get_image_align_info".)
struct MediaAlignment {
  uint32_t pixels = 1, rows = 1, least_stride = 1;
};

MediaAlignment larger(const MediaAlignment& a, const MediaAlignment& b) {
  return {std::max(a.pixels, b.pixels), std::max(a.rows, b.rows),
          std::max(a.least_stride, b.least_stride)};
}

hi_s32 alignment_of(const PictureRules& rules, hi_module_type module, MediaAlignment& alignment) {
  switch (module) {
    case HI_MOD_VPC:
      alignment = {rules.width_alignment, rules.height_alignment, rules.least_stride};
      return HI_SUCCESS;
    case HI_MOD_VENC:
    case HI_MOD_VDEC:
    case HI_MOD_JPEGE: alignment = {kEncodedPixels, kVideoRows}; return HI_SUCCESS;
    case HI_MOD_JPEGD: alignment = {rules.decoded_alignment, rules.decoded_rows}; return HI_SUCCESS;
    case HI_MOD_PNGD: alignment = {kPngPixels}; return HI_SUCCESS;
    case HI_MOD_ALL:
      alignment = {std::max({rules.width_alignment, rules.decoded_alignment, kEncodedPixels}),
                   rules.decoded_rows, rules.least_stride};
      return HI_SUCCESS;
    default:
      return fail(HI_ERR_SYS_ILLEGAL_PARAM,
                  "module %d; HI_MOD_VPC (0) to HI_MOD_PNGD (5) and "
                  "HI_MOD_ALL (100) are possible",
                  static_cast<int>(module));
  }
}

hi_s32 align(const hi_module_type modules[], hi_u32 count, const hi_img_base_info& base,
             image::Picture& picture) {
  if (const hi_s32 code = check_ready(HI_ID_SYS)) return code;
  const PictureRules& rules = rules_of();
  picture.layout = image::layout_of(base.pixel_format);
  if (count == 0 || !picture.layout || base.width < rules.least_width ||
      base.height < rules.least_height || std::max(base.width, base.height) > rules.most_stride)
    return fail(HI_ERR_SYS_ILLEGAL_PARAM,
                "%u modules, %u x %u pixels of format %d; at least one module, %u x %u to %u x %u "
                "pixels, and formats 0 to 17, 1000 and 1001 are possible",
                count, base.width, base.height, static_cast<int>(base.pixel_format),
                rules.least_width, rules.least_height, rules.most_stride, rules.most_stride);
  MediaAlignment most{1, picture.layout->subsample_y};
  for (hi_u32 i = 0; i < count; ++i) {
    MediaAlignment one;
    if (const hi_s32 code = alignment_of(rules, modules[i], one)) return code;
    most = larger(most, one);
  }
  picture.width_stride =
      std::max(round_up(base.width, most.pixels) * picture.layout->row_bytes, most.least_stride);
  picture.height_stride = round_up(base.height, most.rows);
  return HI_SUCCESS;
}

hi_s32 start() {
  if (!has_context())
    return fail(HI_ERR_SYS_NOT_READY, "no device is set; call aclrtSetDevice first");
  if (const aclError code = check_pictures()) return media_code(HI_ID_SYS, code);
  if (!rules_of().converts)
    return fail(HI_ERR_SYS_NOT_SUPPORT,
                "this chip has no hi_mpi_*; call acldvpp*, or choose another one by OPKIT_SOC");
  media().ready = true;
  return HI_SUCCESS;
}

template <typename Channel>
void end_all(MediaChannels<Channel>& all) {
  for (const auto& [number, channel] : all.all()) close_channel(*channel);
  all = MediaChannels<Channel>(all.module());
}

// Checks what a channel converts colours by; nullptr: it converts none.
hi_s32 check_matrix(hi_csc_matrix matrix) {
  if (matrix == HI_CSC_MATRIX_USER)
    return fail(
        HI_ERR_SYS_NOT_SUPPORT,
        "HI_CSC_MATRIX_USER: the scale of a matrix's numbers is not public; take one of the "
        "standards 0 to 5");
  if (matrix >= 0 && matrix < static_cast<int>(image::kColorStandards)) return HI_SUCCESS;
  return fail(HI_ERR_SYS_ILLEGAL_PARAM, "colour matrix %d; 0 to 5 are possible",
              static_cast<int>(matrix));
}

hi_s32 no_colours(hi_mod_id module) {
  return fail(HI_ERR_SYS_ILLEGAL_PARAM,
              "module %d has no colour matrix; HI_ID_VPC (7) and HI_ID_VDEC (5) have",
              static_cast<int>(module));
}

}  // namespace

void close_channel(VpcChannel&) {}
void close_channel(Decoder& decoder) { decoder.frames.close(); }
void close_channel(PngDecoder& decoder) { decoder.pictures.close(); }
void close_channel(Encoder& encoder) {
  encoder.closed = true;
  encoder.files.close();
  encoder.released.notify_all();
  for (const auto& [memory, bytes] : encoder.held)
    the_device().memory().release(memory, nullptr, {}, MemoryOrigin::kPicture);
  encoder.held.clear();
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_init(hi_void) {
  const Lock lock;
  return told(__func__, start());
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_exit(hi_void) {
  const Lock lock;
  if (const hi_s32 code = check_ready(HI_ID_SYS)) return told(__func__, code);
  end_all(media().vpc);
  end_all(media().decoders);
  end_all(media().encoders);
  end_all(media().png);
  for (const int epoll : media().epolls) ::close(epoll);
  media().epolls.clear();
  media().ready = false;
  return HI_SUCCESS;
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_get_image_align_info(const hi_module_type modules[],
                                                        const hi_u32 count,
                                                        const hi_img_base_info* base,
                                                        hi_img_align_info* aligned) {
  if (!modules || !base || !aligned)
    return told(__func__, no_pointer(HI_ID_SYS, "mod_type, img_base_info or img_align_info"));
  const Lock lock;
  opkit::image::Picture picture;
  if (const hi_s32 code = align(modules, count, *base, picture)) return told(__func__, code);
  *aligned = {picture.width_stride, picture.height_stride,
              static_cast<hi_u32>(opkit::image::bytes_of(picture))};
  return HI_SUCCESS;
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_set_chn_csc_matrix(hi_mod_id module, hi_s32 number,
                                                      hi_csc_matrix matrix, hi_csc_coefficient*) {
  if (const hi_s32 code = check_matrix(matrix)) return told(__func__, code);
  if (module == HI_ID_VPC)
    return with_channel(__func__, &Media::vpc, number, [&](VpcChannel& channel) {
      channel.standard = static_cast<opkit::image::ColorStandard>(matrix);
      return HI_SUCCESS;
    });
  if (module != HI_ID_VDEC) return told(__func__, no_colours(module));
  return with_channel(__func__, &Media::decoders, number, [&](Decoder& decoder) {
    decoder.matrix = matrix;
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_get_chn_csc_matrix(hi_mod_id module, hi_s32 number,
                                                      hi_csc_matrix* matrix, hi_csc_coefficient*) {
  if (!matrix) return told(__func__, no_pointer(HI_ID_SYS, "csc_matrix"));
  if (module == HI_ID_VPC)
    return with_channel(__func__, &Media::vpc, number, [&](const VpcChannel& channel) {
      *matrix = static_cast<hi_csc_matrix>(channel.standard);
      return HI_SUCCESS;
    });
  if (module != HI_ID_VDEC) return told(__func__, no_colours(module));
  return with_channel(__func__, &Media::decoders, number, [&](const Decoder& decoder) {
    *matrix = decoder.matrix;
    return HI_SUCCESS;
  });
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_dvpp_malloc(hi_u32 device, hi_void** result, hi_u64 size) {
  if (!result) return told(__func__, no_pointer(HI_ID_SYS, "dev_ptr"));
  if (device != 0)
    return told(__func__, fail(HI_ERR_SYS_ILLEGAL_PARAM,
                               "device %u; there is one, which has the number 0", device));
  return told(__func__, media_code(HI_ID_SYS, acldvppMalloc(result, size)));
}

OPKIT_ACL_EXPORT hi_s32 hi_mpi_dvpp_free(hi_void* memory) {
  if (!memory) return told(__func__, no_pointer(HI_ID_SYS, "dev_ptr"));
  return told(__func__, media_code(HI_ID_SYS, acldvppFree(memory)));
}
