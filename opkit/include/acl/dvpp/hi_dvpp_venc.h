// Encoding: JPEG. Channels of H.264 and H.265 are refused (HI_ERR_VENC_NOT_SUPPORT), and of their
// settings only those are declared that programs fill in. (Vendor's pages "hi_venc_pack",
// "hi_venc_jpeg_param", "hi_mpi_venc_send_jpege_frame" and their neighbours.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VENC_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VENC_H_

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HI_ERR_VENC_INVALID_CHN_ID HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_INVALID_CHN_ID)
#define HI_ERR_VENC_ILLEGAL_PARAM HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_ILLEGAL_PARAM)
#define HI_ERR_VENC_EXIST HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_EXIST)
#define HI_ERR_VENC_UNEXIST HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_UNEXIST)
#define HI_ERR_VENC_NULL_PTR HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NULL_PTR)
#define HI_ERR_VENC_NOT_CFG HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NOT_CFG)
#define HI_ERR_VENC_NOT_SUPPORT HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NOT_SUPPORT)
#define HI_ERR_VENC_NOT_PERM HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NOT_PERM)
#define HI_ERR_VENC_NO_MEM HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NO_MEM)
#define HI_ERR_VENC_NO_BUF HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_NO_BUF)
#define HI_ERR_VENC_BUF_EMPTY HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_BUF_EMPTY)
#define HI_ERR_VENC_BUF_FULL HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_BUF_FULL)
#define HI_ERR_VENC_SYS_NOT_READY HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_SYS_NOT_READY)
#define HI_ERR_VENC_BAD_ADDR HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_BAD_ADDR)
#define HI_ERR_VENC_BUSY HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_BUSY)
#define HI_ERR_VENC_TIMEOUT HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_TIMEOUT)
#define HI_ERR_VENC_SYS_ERROR HI_DVPP_ERROR(HI_ID_VENC, HI_DVPP_SYS_ERROR)

#define VENC_MAX_CHN_NUM 256
typedef hi_s32 hi_venc_chn;

typedef enum {
  HI_VENC_RC_MODE_H264_CBR = 1,
  HI_VENC_RC_MODE_H264_VBR,
  HI_VENC_RC_MODE_H264_AVBR,
  HI_VENC_RC_MODE_H264_QVBR,
  HI_VENC_RC_MODE_H264_CVBR,
  HI_VENC_RC_MODE_H264_FIXQP,
  HI_VENC_RC_MODE_H264_QPMAP,
  HI_VENC_RC_MODE_MJPEG_CBR,
  HI_VENC_RC_MODE_MJPEG_VBR,
  HI_VENC_RC_MODE_MJPEG_FIXQP,
  HI_VENC_RC_MODE_H265_CBR,
  HI_VENC_RC_MODE_H265_VBR,
  HI_VENC_RC_MODE_H265_AVBR,
  HI_VENC_RC_MODE_H265_QVBR,
  HI_VENC_RC_MODE_H265_CVBR,
  HI_VENC_RC_MODE_H265_FIXQP,
  HI_VENC_RC_MODE_H265_QPMAP,
  HI_VENC_RC_MODE_BUTT
} hi_venc_rc_mode;
typedef struct {
  hi_u32 gop;
  hi_u32 stats_time; /* seconds */
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 bit_rate; /* kbit/s */
} hi_venc_h264_cbr;
typedef struct {
  hi_u32 gop;
  hi_u32 stats_time; /* seconds */
  hi_u32 src_frame_rate;
  hi_u32 dst_frame_rate;
  hi_u32 max_bit_rate; /* kbit/s */
} hi_venc_h264_vbr;
typedef hi_venc_h264_cbr hi_venc_h265_cbr;
typedef hi_venc_h264_vbr hi_venc_h265_vbr;
typedef struct {
  hi_venc_rc_mode rc_mode;
  union {
    hi_venc_h264_cbr h264_cbr;
    hi_venc_h264_vbr h264_vbr;
    hi_venc_h265_cbr h265_cbr;
    hi_venc_h265_vbr h265_vbr;
  };
} hi_venc_rc_attr;
typedef enum { HI_VENC_GOP_MODE_NORMAL_P = 0 } hi_venc_gop_mode;
typedef struct {
  hi_s32 ip_qp_delta;
} hi_venc_gop_normal_p;
typedef struct {
  hi_venc_gop_mode gop_mode;
  union {
    hi_venc_gop_normal_p normal_p;
  };
} hi_venc_gop_attr;

typedef struct {
  hi_bool rcn_ref_share_buf_en;
} hi_venc_h264_attr;
typedef struct {
  hi_bool rcn_ref_share_buf_en;
} hi_venc_h265_attr;
typedef struct {
  hi_u8 large_thumbnail_num;
  hi_video_size large_thumbnail_size[2];
} hi_venc_mpf_cfg;
typedef enum {
  HI_VENC_PIC_RECV_SINGLE = 0,
  HI_VENC_PIC_RECV_MULTI,
  HI_VENC_PIC_RECV_BUTT
} hi_venc_pic_recv_mode;
/* Reserved. */
typedef struct {
  hi_bool dcf_en;
  hi_venc_mpf_cfg mpf_cfg;
  hi_venc_pic_recv_mode recv_mode;
} hi_venc_jpeg_attr;

/* buf_size: bytes of files that are not released; 0: the program gives the memory
 * (hi_mpi_venc_send_jpege_frame). */
typedef struct {
  hi_payload_type type;
  hi_u32 max_pic_width; /* pixels */
  hi_u32 max_pic_height;
  hi_u32 buf_size;
  hi_u32 profile;
  hi_bool is_by_frame;
  hi_u32 pic_width; /* pixels */
  hi_u32 pic_height;
  union {
    hi_venc_h264_attr h264_attr;
    hi_venc_h265_attr h265_attr;
    hi_venc_jpeg_attr jpeg_attr;
  };
} hi_venc_attr;
typedef struct {
  hi_venc_attr venc_attr;
  hi_venc_rc_attr rc_attr;
  hi_venc_gop_attr gop_attr;
} hi_venc_chn_attr;

typedef struct {
  hi_s32 recv_pic_num; /* pictures that are taken; -1: any */
} hi_venc_start_param;

#define HI_VENC_JPEG_QT_COEF_NUM 64
/* qfactor: 1 to 100, the best; 0xFFFFFFFF, which the tables belong to, is refused. */
typedef struct {
  hi_u32 qfactor;
  hi_u8 y_qt[HI_VENC_JPEG_QT_COEF_NUM];
  hi_u8 cb_qt[HI_VENC_JPEG_QT_COEF_NUM];
  hi_u8 cr_qt[HI_VENC_JPEG_QT_COEF_NUM];
  hi_u32 mcu_per_ecs;
  hi_bool ecs_output_en;
} hi_venc_jpeg_param;

typedef enum {
  HI_VENC_JPEG_PACK_ECS = 5,
  HI_VENC_JPEG_PACK_APP = 6,
  HI_VENC_JPEG_PACK_VDO = 7,
  HI_VENC_JPEG_PACK_PIC = 8
} hi_venc_jpege_pack_type;
typedef union {
  hi_venc_jpege_pack_type jpeg_type;
  hi_u32 video_type;
} hi_venc_data_type;
typedef struct {
  hi_venc_data_type pack_type;
  hi_u32 pack_offset;
  hi_u32 pack_len;
} hi_venc_pack_info;
#define HI_VENC_MAX_PACK_INFO_NUM 8
/* The file is [addr + offset, addr + len), in device memory. len 0: encoding failed. */
typedef struct {
  union {
    hi_u64 phys_addr;
    hi_u64 input_addr; /* virt_addr[0] of the frame that it is of */
  };
  hi_u8* addr;
  hi_u32 len;
  hi_u64 pts; /* microseconds */
  hi_bool is_frame_end;
  hi_venc_data_type data_type;
  hi_u32 offset;
  hi_u32 data_num;
  hi_venc_pack_info pack_info[HI_VENC_MAX_PACK_INFO_NUM];
} hi_venc_pack;
/* pack: the program's, of at least one. */
typedef struct {
  hi_venc_pack* pack;
  hi_u32 pack_cnt;
  hi_u32 seq;
} hi_venc_stream;

typedef struct {
  hi_u64 reserved[4];
} hi_venc_stream_info;
typedef struct {
  hi_u32 left_pics;
  hi_u32 left_stream_bytes;
  hi_u32 left_stream_frames;
  hi_u32 cur_packs;
  hi_u32 left_recv_pics;
  hi_u32 left_enc_pics;
  hi_bool is_jpeg_snap_end;
  hi_u64 release_pic_pts;
  hi_venc_stream_info stream_info;
} hi_venc_chn_status;

typedef struct {
  hi_u32 priority;
} hi_venc_chn_param;
typedef struct {
  hi_u32 reserved[64];
} hi_venc_rc_param;
typedef enum { HI_VENC_SCENE_0 = 0, HI_VENC_SCENE_1, HI_VENC_SCENE_2 } hi_venc_scene_mode;

hi_s32 hi_mpi_venc_create_chn(hi_venc_chn chn, const hi_venc_chn_attr* attr);
hi_s32 hi_mpi_venc_destroy_chn(hi_venc_chn chn);
hi_s32 hi_mpi_venc_start_chn(hi_venc_chn chn, const hi_venc_start_param* recv_param);
hi_s32 hi_mpi_venc_stop_chn(hi_venc_chn chn);
hi_s32 hi_mpi_venc_query_status(hi_venc_chn chn, hi_venc_chn_status* status);
/* The descriptor is ready to be read while a file waits; not 0 or above: a code. */
hi_s32 hi_mpi_venc_get_fd(hi_venc_chn chn);

/* frame: YUV420SP or packed YUV422, in device memory. milli_sec: -1 waits any time for memory of
 * files that the program is still to release, 0 not at all. */
hi_s32 hi_mpi_venc_send_frame(hi_venc_chn chn, const hi_video_frame_info* frame, hi_s32 milli_sec);
/* jpege_stream: where the file goes to; addr a multiple of 16. */
hi_s32 hi_mpi_venc_send_jpege_frame(hi_venc_chn chn, const hi_video_frame_info* frame,
                                    const hi_img_stream* jpege_stream, hi_s32 milli_sec);
hi_s32 hi_mpi_venc_get_stream(hi_venc_chn chn, hi_venc_stream* stream, hi_s32 milli_sec);
hi_s32 hi_mpi_venc_release_stream(hi_venc_chn chn, hi_venc_stream* stream);

hi_s32 hi_mpi_venc_get_jpeg_param(hi_venc_chn chn, hi_venc_jpeg_param* jpeg_param);
hi_s32 hi_mpi_venc_set_jpeg_param(hi_venc_chn chn, const hi_venc_jpeg_param* jpeg_param);
/* Enough at any quality. */
hi_s32 hi_mpi_venc_get_jpege_predicted_size(const hi_video_frame_info* frame,
                                            const hi_venc_jpeg_param* jpeg_param, hi_u32* size);
hi_s32 hi_mpi_venc_set_chn_param(hi_venc_chn chn, const hi_venc_chn_param* chn_param);
hi_s32 hi_mpi_venc_get_chn_param(hi_venc_chn chn, hi_venc_chn_param* chn_param);
/* Concerns video: refused on a channel of JPEG. */
hi_s32 hi_mpi_venc_set_scene_mode(hi_venc_chn chn, const hi_venc_scene_mode scene_mode);
hi_s32 hi_mpi_venc_get_rc_param(hi_venc_chn chn, hi_venc_rc_param* rc_param);
hi_s32 hi_mpi_venc_set_rc_param(hi_venc_chn chn, const hi_venc_rc_param* rc_param);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VENC_H_
