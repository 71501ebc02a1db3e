// Types that all hi_mpi_* calls share, the system's calls, and memory. (Vendor's pages "Basic Data
// Types", "hi_pixel_format", "hi_video_frame", "hi_mpi_sys_get_image_align_info" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_COMMON_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_COMMON_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char hi_u8;
typedef unsigned short hi_u16;
typedef unsigned int hi_u32;
typedef unsigned long long hi_u64;
typedef signed char hi_s8;
typedef short hi_s16;
typedef int hi_s32;
typedef long long hi_s64;
typedef char hi_char;
typedef float hi_float;
typedef double hi_double;
typedef void hi_void;
typedef enum { HI_FALSE = 0, HI_TRUE = 1 } hi_bool;

#define HI_NULL 0L
#define HI_SUCCESS 0
#define HI_FAILURE (-1)

/* Pixels or bytes, rounded to a multiple of `a`. */
#define ALIGN_UP(x, a) ((((x) + ((a)-1)) / (a)) * (a))
#define DEFAULT_ALIGN 16
#define MAX_ALIGN 1024

typedef enum {
  HI_ID_SYS = 2,
  HI_ID_VDEC = 5,
  HI_ID_VPC = 7,
  HI_ID_VENC = 8,
  HI_ID_H264E = 10,
  HI_ID_JPEGE = 11,
  HI_ID_H265E = 13,
  HI_ID_JPEGD = 14,
  HI_ID_USER = 30,
  HI_ID_VGS = 45,
  HI_ID_VPSS = 62,
  HI_ID_PNGD = 64,
  HI_ID_BUTT = 0x100
} hi_mod_id;

/* A code is 0xA0, the module, 0x80, and one of these ("VPC Return Codes"). */
#define HI_DVPP_ERROR(module, number) \
  ((hi_s32)(0xA0008000u | ((hi_u32)(module) << 16) | (hi_u32)(number)))
#define HI_DVPP_INVALID_CHN_ID 0x02
#define HI_DVPP_ILLEGAL_PARAM 0x03
#define HI_DVPP_EXIST 0x04
#define HI_DVPP_UNEXIST 0x05
#define HI_DVPP_NULL_PTR 0x06
#define HI_DVPP_NOT_CFG 0x07
#define HI_DVPP_NOT_SUPPORT 0x08
#define HI_DVPP_NOT_PERM 0x09
#define HI_DVPP_NO_MEM 0x0C
#define HI_DVPP_NO_BUF 0x0D
#define HI_DVPP_BUF_EMPTY 0x0E
#define HI_DVPP_BUF_FULL 0x0F
#define HI_DVPP_SYS_NOT_READY 0x10
#define HI_DVPP_BAD_ADDR 0x11
#define HI_DVPP_BUSY 0x12
#define HI_DVPP_TIMEOUT 0x14
#define HI_DVPP_SYS_ERROR 0x15

#define HI_ERR_SYS_ILLEGAL_PARAM HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_ILLEGAL_PARAM)
#define HI_ERR_SYS_UNEXIST HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_UNEXIST)
#define HI_ERR_SYS_NULL_PTR HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_NULL_PTR)
#define HI_ERR_SYS_NOT_SUPPORT HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_NOT_SUPPORT)
#define HI_ERR_SYS_NOT_PERM HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_NOT_PERM)
#define HI_ERR_SYS_NO_MEM HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_NO_MEM)
#define HI_ERR_SYS_NOT_READY HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_SYS_NOT_READY)
#define HI_ERR_SYS_BAD_ADDR HI_DVPP_ERROR(HI_ID_SYS, HI_DVPP_BAD_ADDR)

/* What is not named here is refused where a picture has it. */
typedef enum {
  HI_PIXEL_FORMAT_YUV_400 = 0,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1, /* NV12 */
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2, /* NV21 */
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
  HI_PIXEL_FORMAT_YUYV_PACKED_422 = 7,
  HI_PIXEL_FORMAT_UYVY_PACKED_422 = 8,
  HI_PIXEL_FORMAT_YVYU_PACKED_422 = 9,
  HI_PIXEL_FORMAT_VYUY_PACKED_422 = 10,
  HI_PIXEL_FORMAT_YUV_PACKED_444 = 11,
  HI_PIXEL_FORMAT_RGB_888 = 12,
  HI_PIXEL_FORMAT_BGR_888 = 13,
  HI_PIXEL_FORMAT_ARGB_8888 = 14,
  HI_PIXEL_FORMAT_ABGR_8888 = 15,
  HI_PIXEL_FORMAT_RGBA_8888 = 16,
  HI_PIXEL_FORMAT_BGRA_8888 = 17,
  HI_PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18, /* refused */
  HI_PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19, /* refused */
  HI_PIXEL_FORMAT_YVU_PLANAR_420 = 20,             /* refused */
  HI_PIXEL_FORMAT_YVU_PLANAR_422 = 21,             /* refused */
  HI_PIXEL_FORMAT_YUV_SEMIPLANAR_440 = 1000,
  HI_PIXEL_FORMAT_YVU_SEMIPLANAR_440 = 1001,
  HI_PIXEL_FORMAT_FLOAT32 = 1002,  /* refused */
  HI_PIXEL_FORMAT_UNKNOWN = 10000, /* gives a decoder's output what the file has */
  HI_PIXEL_FORMAT_BUTT
} hi_pixel_format;

typedef enum {
  HI_PT_JPEG = 26,
  HI_PT_H264 = 96,
  HI_PT_H265 = 265,
  HI_PT_VPC = 1000,
  HI_PT_PNG = 1001,
  HI_PT_BUTT
} hi_payload_type;

typedef enum {
  HI_DATA_BIT_WIDTH_8 = 0,
  HI_DATA_BIT_WIDTH_10,
  HI_DATA_BIT_WIDTH_12,
  HI_DATA_BIT_WIDTH_14,
  HI_DATA_BIT_WIDTH_16
} hi_data_bit_width;
typedef enum { HI_COMPRESS_MODE_NONE = 0, HI_COMPRESS_MODE_HFBC = 6 } hi_compress_mode;
typedef enum { HI_VIDEO_FORMAT_LINEAR = 0, HI_VIDEO_FORMAT_TILE_64x16 = 2 } hi_video_format;
typedef enum {
  HI_VIDEO_FIELD_TOP = 1,
  HI_VIDEO_FIELD_BOTTOM = 2,
  HI_VIDEO_FIELD_INTERLACED = 3,
  HI_VIDEO_FIELD_FRAME = 4
} hi_video_field;
typedef enum { HI_DYNAMIC_RANGE_SDR8 = 0, HI_DYNAMIC_RANGE_SDR10 } hi_dynamic_range;
typedef enum {
  HI_COLOR_GAMUT_BT601 = 0,
  HI_COLOR_GAMUT_BT709,
  HI_COLOR_GAMUT_BT2020,
  HI_COLOR_GAMUT_USER
} hi_color_gamut;

#define HI_MAX_COLOR_COMPONENT 3
#define HI_MAX_USER_DATA_NUM 2

typedef struct {
  hi_u64 reserved[4];
} hi_video_supplement;

/* Widths and heights count pixels, a width stride bytes, a height stride rows. Of two planes the
 * second one is U and V. frame_flag: not 0 where decoding failed. What is not named here is
 * reserved. */
typedef struct {
  hi_u32 width;
  hi_u32 height;
  hi_video_field field;
  hi_pixel_format pixel_format;
  hi_video_format video_format;
  hi_compress_mode compress_mode;
  hi_dynamic_range dynamic_range;
  hi_color_gamut color_gamut;
  hi_u32 header_stride[HI_MAX_COLOR_COMPONENT];
  hi_u32 width_stride[HI_MAX_COLOR_COMPONENT];
  hi_u32 height_stride[HI_MAX_COLOR_COMPONENT];
  hi_u64 header_phys_addr[HI_MAX_COLOR_COMPONENT];
  hi_u64 phys_addr[HI_MAX_COLOR_COMPONENT];
  hi_void* header_virt_addr[HI_MAX_COLOR_COMPONENT];
  hi_void* virt_addr[HI_MAX_COLOR_COMPONENT];
  hi_u32 time_ref;
  hi_u64 pts; /* microseconds */
  hi_u64 user_data[HI_MAX_USER_DATA_NUM];
  hi_u32 frame_flag;
  hi_video_supplement supplement;
} hi_video_frame;

typedef struct {
  hi_video_frame v_frame;
  hi_u32 pool_id;
  hi_mod_id mod_id;
} hi_video_frame_info;

typedef struct {
  hi_u32 width;
  hi_u32 height;
} hi_video_size;

typedef struct {
  hi_void* picture_address; /* device memory */
  hi_u32 picture_buffer_size;
  hi_u32 picture_width;         /* pixels */
  hi_u32 picture_height;        /* pixels */
  hi_u32 picture_width_stride;  /* bytes */
  hi_u32 picture_height_stride; /* rows */
  hi_pixel_format picture_format;
} hi_pic_info;

typedef enum {
  HI_JPEG_RAW_FORMAT_YUV444 = 0,
  HI_JPEG_RAW_FORMAT_YUV422 = 1,
  HI_JPEG_RAW_FORMAT_YUV420 = 2,
  HI_JPEG_RAW_FORMAT_YUV440 = 3,
  HI_JPEG_RAW_FORMAT_YUV400 = 4,
  HI_JPEG_RAW_FORMAT_YUV411 = 5,
  HI_JPEG_RAW_FORMAT_MAX = 100
} hi_jpeg_raw_format;

typedef enum {
  HI_PNG_COLOR_FORMAT_GRAY = 0,
  HI_PNG_COLOR_FORMAT_RGB = 2,
  HI_PNG_COLOR_FORMAT_AGRAY = 4,
  HI_PNG_COLOR_FORMAT_ARGB = 6,
  HI_PNG_COLOR_FORMAT_MAX = 100
} hi_png_color_format;

typedef struct {
  hi_u32 width;
  hi_u32 height;
  hi_u32 width_stride;  /* bytes */
  hi_u32 height_stride; /* rows */
  hi_u32 img_buf_size;  /* bytes */
  union {
    hi_jpeg_raw_format pixel_format;
    hi_png_color_format png_pixel_format;
    hi_pixel_format img_pixel_format;
  };
  hi_u32 reserved[4];
} hi_img_info;

typedef struct {
  hi_payload_type type;
  hi_u32 len; /* bytes */
  hi_u8* addr;
  hi_u64 pts; /* microseconds */
  hi_u64 reserved[4];
} hi_img_stream;

typedef struct {
  hi_u32 width;
  hi_u32 height;
  hi_pixel_format pixel_format;
} hi_img_base_info;
typedef struct {
  hi_u32 width_stride;  /* bytes */
  hi_u32 height_stride; /* rows */
  hi_u32 img_buf_size;  /* bytes */
} hi_img_align_info;

typedef enum {
  HI_MOD_VPC = 0,
  HI_MOD_VENC = 1,
  HI_MOD_VDEC = 2,
  HI_MOD_JPEGE = 3,
  HI_MOD_JPEGD = 4,
  HI_MOD_PNGD = 5,
  HI_MOD_ALL = 100,
  HI_MOD_BUTT = 255
} hi_module_type;

typedef enum {
  HI_CSC_MATRIX_BT601_WIDE = 0,
  HI_CSC_MATRIX_BT601_NARROW,
  HI_CSC_MATRIX_BT709_WIDE,
  HI_CSC_MATRIX_BT709_NARROW,
  HI_CSC_MATRIX_BT2020_WIDE,
  HI_CSC_MATRIX_BT2020_NARROW,
  HI_CSC_MATRIX_USER = 100, /* refused */
  HI_CSC_MATRIX_BUTT
} hi_csc_matrix;
/* Holds the matrix of HI_CSC_MATRIX_USER. */
typedef struct {
  hi_s32 csc_matrix_r0_c0, csc_matrix_r0_c1, csc_matrix_r0_c2;
  hi_s32 csc_matrix_r1_c0, csc_matrix_r1_c1, csc_matrix_r1_c2;
  hi_s32 csc_matrix_r2_c0, csc_matrix_r2_c1, csc_matrix_r2_c2;
  hi_s32 csc_bias_r0, csc_bias_r1, csc_bias_r2;
} hi_csc_coefficient;

typedef enum { HI_DVPP_EPOLL_IN = 0x1, HI_DVPP_EPOLL_OUT = 0x4 } hi_dvpp_epoll_event_type;
typedef enum {
  HI_DVPP_EPOLL_CTL_ADD = 1,
  HI_DVPP_EPOLL_CTL_DEL = 2,
  HI_DVPP_EPOLL_CTL_MOD = 3
} hi_dvpp_epoll_ctl;
/* events: a sum of hi_dvpp_epoll_event_type; data: the program's own. */
typedef struct {
  hi_u32 events;
  hi_void* data;
} hi_dvpp_epoll_event;

/* Behind aclrtSetDevice, in front of every other call here. hi_mpi_sys_exit ends channels that are
 * still there. */
hi_s32 hi_mpi_sys_init(hi_void);
hi_s32 hi_mpi_sys_exit(hi_void);
/* The strides that all of the modules take, and the bytes that a picture of them has. */
hi_s32 hi_mpi_sys_get_image_align_info(const hi_module_type mod_type[], const hi_u32 mod_num,
                                       const hi_img_base_info* img_base_info,
                                       hi_img_align_info* img_align_info);
/* mode: HI_ID_VPC or HI_ID_VDEC. Of tasks that come behind the call. */
hi_s32 hi_mpi_sys_set_chn_csc_matrix(hi_mod_id mode, hi_s32 chn, hi_csc_matrix csc_matrix,
                                     hi_csc_coefficient* csc_coefficient);
/* csc_coefficient stays as it is: no standard is set by numbers here. */
hi_s32 hi_mpi_sys_get_chn_csc_matrix(hi_mod_id mode, hi_s32 chn, hi_csc_matrix* csc_matrix,
                                     hi_csc_coefficient* csc_coefficient);

/* fd: of hi_mpi_vdec_get_fd or hi_mpi_venc_get_fd; it is ready to be read while a result waits.
 * timeout: milliseconds, -1: any. */
hi_s32 hi_mpi_sys_create_epoll(hi_s32 size, hi_s32* epoll_fd);
hi_s32 hi_mpi_sys_ctl_epoll(hi_s32 epoll_fd, hi_s32 operation, hi_s32 fd,
                            hi_dvpp_epoll_event* event);
hi_s32 hi_mpi_sys_wait_epoll(hi_s32 epoll_fd, hi_dvpp_epoll_event* events, hi_s32 max_events,
                             hi_s32 timeout, hi_s32* event_num);
hi_s32 hi_mpi_sys_close_epoll(hi_s32 epoll_fd);

/* Device memory of pictures and files. */
hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void** dev_ptr, hi_u64 size);
hi_s32 hi_mpi_dvpp_free(hi_void* dev_ptr);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_COMMON_H_
