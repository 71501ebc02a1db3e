// Decoding of PNG. (Vendor's pages "hi_mpi_pngd_send_stream", "hi_pngd_chn_attr" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_PNGD_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_PNGD_H_

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HI_ERR_PNGD_INVALID_CHN_ID HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_INVALID_CHN_ID)
#define HI_ERR_PNGD_ILLEGAL_PARAM HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_ILLEGAL_PARAM)
#define HI_ERR_PNGD_EXIST HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_EXIST)
#define HI_ERR_PNGD_UNEXIST HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_UNEXIST)
#define HI_ERR_PNGD_NULL_PTR HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NULL_PTR)
#define HI_ERR_PNGD_NOT_CFG HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NOT_CFG)
#define HI_ERR_PNGD_NOT_SUPPORT HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NOT_SUPPORT)
#define HI_ERR_PNGD_NOT_PERM HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NOT_PERM)
#define HI_ERR_PNGD_NO_MEM HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NO_MEM)
#define HI_ERR_PNGD_NO_BUF HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_NO_BUF)
#define HI_ERR_PNGD_BUF_EMPTY HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_BUF_EMPTY)
#define HI_ERR_PNGD_BUF_FULL HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_BUF_FULL)
#define HI_ERR_PNGD_SYS_NOT_READY HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_SYS_NOT_READY)
#define HI_ERR_PNGD_BAD_ADDR HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_BAD_ADDR)
#define HI_ERR_PNGD_BUSY HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_BUSY)
#define HI_ERR_PNGD_TIMEOUT HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_TIMEOUT)
#define HI_ERR_PNGD_SYS_ERROR HI_DVPP_ERROR(HI_ID_PNGD, HI_DVPP_SYS_ERROR)

#define PNGD_MAX_CHN_NUM 128
typedef hi_s32 hi_pngd_chn;
typedef struct {
  hi_u32 stream_que_cnt; /* reserved */
  hi_u64 reserved[4];
} hi_pngd_chn_attr;

hi_s32 hi_mpi_pngd_create_chn(hi_pngd_chn chn, const hi_pngd_chn_attr* attr);
hi_s32 hi_mpi_pngd_destroy_chn(hi_pngd_chn chn);
/* stream: one whole file in device memory; png_pic_info: RGB888, RGBA8888, or
 * HI_PIXEL_FORMAT_UNKNOWN for what the file has. A file that cannot be decoded is told by
 * hi_mpi_pngd_get_image_data. */
hi_s32 hi_mpi_pngd_send_stream(hi_pngd_chn chn, const hi_img_stream* stream,
                               hi_pic_info* png_pic_info, hi_s32 milli_sec);
hi_s32 hi_mpi_pngd_get_image_data(hi_pngd_chn chn, hi_pic_info* png_pic_info, hi_img_stream* stream,
                                  hi_s32 milli_sec);
/* Describes a file in host memory. */
hi_s32 hi_mpi_png_get_image_info(const hi_img_stream* png_stream, hi_img_info* img_info);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_PNGD_H_
