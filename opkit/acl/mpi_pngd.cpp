// PNG by hi_mpi_pngd_*.
#include "opkit/acl/mpi_close.h"

namespace opkit::acl {
namespace {

hi_s32 no_media_png(const char* call) {
  return fail(HI_ERR_PNGD_NOT_SUPPORT,
              "%s: PNG is not emulated; decode it in the program (OpenCV, libpng)", call);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_create_chn(hi_pngd_chn, const hi_pngd_chn_attr*) {
  return no_media_png(__func__);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_destroy_chn(hi_pngd_chn number) {
  return destroy_media_channel(__func__, &Media::png, number);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_send_stream(hi_pngd_chn, const hi_img_stream*, hi_pic_info*,
                                                hi_s32) {
  return no_media_png(__func__);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_pngd_get_image_data(hi_pngd_chn, hi_pic_info*, hi_img_stream*,
                                                   hi_s32) {
  return no_media_png(__func__);
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_png_get_image_info(const hi_img_stream*, hi_img_info*) {
  return no_media_png(__func__);
}
