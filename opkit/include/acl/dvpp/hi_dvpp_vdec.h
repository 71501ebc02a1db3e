// Decoding: JPEG. Channels of H.264 and H.265 are refused (HI_ERR_VDEC_NOT_SUPPORT). (Vendor's
// pages "hi_vdec_chn_attr", "hi_mpi_vdec_send_stream", "hi_mpi_vdec_get_frame" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VDEC_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VDEC_H_

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HI_ERR_VDEC_INVALID_CHN_ID HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_INVALID_CHN_ID)
#define HI_ERR_VDEC_ILLEGAL_PARAM HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_ILLEGAL_PARAM)
#define HI_ERR_VDEC_EXIST HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_EXIST)
#define HI_ERR_VDEC_UNEXIST HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_UNEXIST)
#define HI_ERR_VDEC_NULL_PTR HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NULL_PTR)
#define HI_ERR_VDEC_NOT_CFG HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NOT_CFG)
#define HI_ERR_VDEC_NOT_SUPPORT HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NOT_SUPPORT)
#define HI_ERR_VDEC_NOT_PERM HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NOT_PERM)
#define HI_ERR_VDEC_NO_MEM HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NO_MEM)
#define HI_ERR_VDEC_NO_BUF HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_NO_BUF)
#define HI_ERR_VDEC_BUF_EMPTY HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_BUF_EMPTY)
#define HI_ERR_VDEC_BUF_FULL HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_BUF_FULL)
#define HI_ERR_VDEC_SYS_NOT_READY HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_SYS_NOT_READY)
#define HI_ERR_VDEC_BAD_ADDR HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_BAD_ADDR)
#define HI_ERR_VDEC_BUSY HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_BUSY)
#define HI_ERR_VDEC_TIMEOUT HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_TIMEOUT)
#define HI_ERR_VDEC_SYS_ERROR HI_DVPP_ERROR(HI_ID_VDEC, HI_DVPP_SYS_ERROR)

#define VDEC_MAX_CHN_NUM 256
typedef hi_s32 hi_vdec_chn;
typedef enum {
  HI_VDEC_SEND_MODE_STREAM = 0,
  HI_VDEC_SEND_MODE_FRAME = 1,
  HI_VDEC_SEND_MODE_COMPAT = 2
} hi_vdec_send_mode;
typedef enum {
  HI_VIDEO_DEC_MODE_IPB = 0,
  HI_VIDEO_DEC_MODE_IP = 1,
  HI_VIDEO_DEC_MODE_I = 2
} hi_video_dec_mode;
typedef enum { HI_VIDEO_OUT_ORDER_DISPLAY = 0, HI_VIDEO_OUT_ORDER_DEC = 1 } hi_video_out_order;
typedef enum { HI_QUICK_MARK_ADAPT = 0, HI_QUICK_MARK, HI_QUICK_MARK_NONE } hi_quick_mark_mode;

typedef struct {
  hi_u32 ref_frame_num;
  hi_bool temporal_mvp_en;
  hi_u32 tmv_buf_size; /* bytes */
} hi_vdec_video_attr;
typedef struct {
  hi_payload_type type;
  hi_vdec_send_mode mode;
  hi_u32 pic_width; /* pixels */
  hi_u32 pic_height;
  hi_u32 stream_buf_size; /* bytes that a file has at most */
  hi_u32 frame_buf_size;
  hi_u32 frame_buf_cnt;
  union {
    hi_vdec_video_attr video_attr;
  };
} hi_vdec_chn_attr;

typedef struct {
  hi_bool composite_dec_en;
  hi_bool slice_input_en;
  hi_s32 err_threshold;
  hi_video_dec_mode dec_mode;
  hi_video_out_order out_order;
  hi_compress_mode compress_mode;
  hi_video_format video_format;
  hi_quick_mark_mode quick_mark_mode;
} hi_vdec_video_param;
typedef struct {
  hi_pixel_format pixel_format; /* reserved: the picture that is sent says it */
  hi_u32 alpha;
} hi_vdec_pic_param;
typedef struct {
  hi_payload_type type;
  hi_u32 display_frame_num; /* 0 to 16 */
  union {
    hi_vdec_video_param video_param;
    hi_vdec_pic_param pic_param;
  };
} hi_vdec_chn_param;

typedef struct {
  hi_bool end_of_frame;
  hi_bool end_of_stream; /* says with len 0 that nothing more comes */
  hi_bool need_display;
  hi_u64 pts; /* microseconds */
  hi_u64 private_data;
  hi_u32 len; /* bytes */
  hi_u8* addr;
} hi_vdec_stream;
/* Where a picture goes to. width and height are of video only. */
typedef struct {
  hi_u32 width;
  hi_u32 height;
  hi_u32 width_stride;  /* bytes; 0 lets the call choose */
  hi_u32 height_stride; /* rows; 0 lets the call choose */
  hi_pixel_format pixel_format;
  hi_u64 vir_addr;
  hi_u32 buffer_size;
  hi_s16 offset_top;
  hi_s16 offset_bottom;
  hi_s16 offset_left;
  hi_s16 offset_right;
} hi_vdec_pic_info;

typedef struct {
  hi_u64 reserved[4];
} hi_vdec_video_supplement_info;
typedef struct {
  hi_payload_type type;
  union {
    hi_vdec_video_supplement_info video_supplement_info;
  };
} hi_vdec_supplement_info;

typedef struct {
  hi_s32 format_err; /* files that could not be decoded */
  hi_s32 pic_size_err_set;
  hi_s32 stream_unsupport;
  hi_s32 pack_err;
  hi_s32 stream_size_over;
} hi_vdec_dec_err;
typedef struct {
  hi_payload_type type;
  hi_u32 left_stream_bytes;
  hi_u32 left_stream_frames;
  hi_u32 left_decoded_frames;
  hi_bool is_started;
  hi_u32 recv_stream_frames;
  hi_u32 dec_stream_frames;
  hi_vdec_dec_err dec_err;
  hi_u32 width;
  hi_u32 height;
  hi_u64 latest_frame_pts;
} hi_vdec_chn_status;

typedef struct {
  hi_u32 width;
  hi_u32 height;
  hi_u32 align;
  hi_data_bit_width bit_width;
  hi_pixel_format pixel_format;
  hi_compress_mode compress_mode;
} hi_pic_buf_attr;
/* Bytes that a JPEG of that size is decoded to at most. Of video both answer 0, and the text says
 * so. */
hi_u32 hi_vdec_get_pic_buf_size(hi_payload_type type, const hi_pic_buf_attr* buf_attr);
hi_u32 hi_vdec_get_tmv_buf_size(hi_payload_type type, hi_u32 width, hi_u32 height);

hi_s32 hi_mpi_vdec_create_chn(hi_vdec_chn chn, const hi_vdec_chn_attr* attr);
hi_s32 hi_mpi_vdec_destroy_chn(hi_vdec_chn chn);
hi_s32 hi_mpi_vdec_get_chn_attr(hi_vdec_chn chn, hi_vdec_chn_attr* attr);
hi_s32 hi_mpi_vdec_set_chn_attr(hi_vdec_chn chn, const hi_vdec_chn_attr* attr);
hi_s32 hi_mpi_vdec_get_chn_param(hi_vdec_chn chn, hi_vdec_chn_param* chn_param);
hi_s32 hi_mpi_vdec_set_chn_param(hi_vdec_chn chn, const hi_vdec_chn_param* chn_param);
hi_s32 hi_mpi_vdec_start_recv_stream(hi_vdec_chn chn);
hi_s32 hi_mpi_vdec_stop_recv_stream(hi_vdec_chn chn);
/* Drops what was decoded; between stop and start. */
hi_s32 hi_mpi_vdec_reset_chn(hi_vdec_chn chn);
hi_s32 hi_mpi_vdec_query_status(hi_vdec_chn chn, hi_vdec_chn_status* status);
/* The descriptor is ready to be read while a frame waits; not 0 or above: a code. */
hi_s32 hi_mpi_vdec_get_fd(hi_vdec_chn chn);

/* stream: one whole file in device memory. A file that cannot be decoded is told by the frame
 * (frame_flag, and aclGetRecentErrMsg behind hi_mpi_vdec_get_frame). milli_sec: -1 waits any time,
 * 0 not at all. */
hi_s32 hi_mpi_vdec_send_stream(hi_vdec_chn chn, const hi_vdec_stream* stream,
                               hi_vdec_pic_info* vdec_pic_info, hi_s32 milli_sec);
hi_s32 hi_mpi_vdec_get_frame(hi_vdec_chn chn, hi_video_frame_info* frame_info,
                             hi_vdec_supplement_info* supplement, hi_vdec_stream* stream,
                             hi_s32 milli_sec);
hi_s32 hi_mpi_vdec_release_frame(hi_vdec_chn chn, const hi_video_frame_info* frame_info);

/* Tells what a file in host memory is decoded to. img_buf_size is enough for YUV420SP and for the
 * file's own sampling. */
hi_s32 hi_mpi_dvpp_get_image_info(hi_payload_type img_type, const hi_vdec_stream* stream,
                                  hi_img_info* img_info);
/* Tells that for one format; HI_PIXEL_FORMAT_UNKNOWN: the file's own. */
hi_s32 hi_mpi_vdec_get_jpegd_output_info(const hi_vdec_stream* stream, hi_pixel_format pixel_format,
                                         hi_img_info* img_info);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VDEC_H_
