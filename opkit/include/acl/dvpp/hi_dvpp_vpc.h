// Cropping, resizing, pasting, borders, colours, pyramids and histograms. (Vendor's pages
// "hi_vpc_pic_info", "hi_mpi_vpc_resize", "hi_mpi_vpc_get_process_result" and their neighbours.)
#ifndef OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VPC_H_
#define OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VPC_H_

#include "hi_dvpp_common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HI_ERR_VPC_INVALID_CHN_ID HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_INVALID_CHN_ID)
#define HI_ERR_VPC_ILLEGAL_PARAM HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_ILLEGAL_PARAM)
#define HI_ERR_VPC_EXIST HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_EXIST)
#define HI_ERR_VPC_UNEXIST HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_UNEXIST)
#define HI_ERR_VPC_NULL_PTR HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NULL_PTR)
#define HI_ERR_VPC_NOT_CFG HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NOT_CFG)
#define HI_ERR_VPC_NOT_SUPPORT HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NOT_SUPPORT)
#define HI_ERR_VPC_NOT_PERM HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NOT_PERM)
#define HI_ERR_VPC_NO_MEM HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NO_MEM)
#define HI_ERR_VPC_NO_BUF HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_NO_BUF)
#define HI_ERR_VPC_BUF_EMPTY HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_BUF_EMPTY)
#define HI_ERR_VPC_BUF_FULL HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_BUF_FULL)
#define HI_ERR_VPC_SYS_NOT_READY HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_SYS_NOT_READY)
#define HI_ERR_VPC_BAD_ADDR HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_BAD_ADDR)
#define HI_ERR_VPC_BUSY HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_BUSY)
#define HI_ERR_VPC_TIMEOUT HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_TIMEOUT)
#define HI_ERR_VPC_SYS_ERROR HI_DVPP_ERROR(HI_ID_VPC, HI_DVPP_SYS_ERROR)

typedef hi_s32 hi_vpc_chn;
typedef struct {
  hi_s32 attr; /* reserved */
  hi_u32 pic_width;
  hi_u32 pic_height;
} hi_vpc_chn_attr;

typedef hi_pic_info hi_vpc_pic_info;

typedef struct {
  hi_u32 top_offset; /* pixels */
  hi_u32 left_offset;
  hi_u32 crop_width;
  hi_u32 crop_height;
} hi_vpc_crop_region;
/* interpolation: 0 bilinear, 1 nearest. */
typedef struct {
  hi_u32 resize_width; /* pixels */
  hi_u32 resize_height;
  hi_u32 interpolation;
} hi_vpc_resize_info;
typedef enum {
  HI_BORDER_CONSTANT = 0,
  HI_BORDER_REPLICATE = 1,
  HI_BORDER_REFLECT = 2,
  HI_BORDER_REFLECT_101 = 3,
  HI_BORDER_BUTT
} hi_vpc_bord_type;
/* R, G, B, or Y, U, V where input and output are of YUV. */
typedef struct {
  hi_double val[4];
} hi_vpc_scalar;

typedef struct {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
} hi_vpc_crop_region_info;
typedef struct {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
} hi_vpc_crop_resize_region;
typedef struct {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
  hi_u32 dest_top_offset; /* pixels */
  hi_u32 dest_left_offset;
} hi_vpc_crop_resize_paste_region;
typedef struct {
  hi_vpc_pic_info dest_pic_info;
  hi_vpc_crop_region crop_region;
  hi_vpc_resize_info resize_info;
  hi_u32 dest_top_offset; /* pixels */
  hi_u32 dest_left_offset;
  hi_vpc_bord_type border_type;
  hi_vpc_scalar scalar_value;
} hi_vpc_crop_resize_border_region;
typedef struct {
  hi_u32 top; /* pixels */
  hi_u32 bottom;
  hi_u32 left;
  hi_u32 right;
  hi_vpc_bord_type border_type;
  hi_vpc_scalar scalar_value;
} hi_vpc_make_border_info;

/* How many samples of each component have each value. */
typedef struct {
  hi_u32 histogram_y_or_r[256];
  hi_u32 histogram_u_or_g[256];
  hi_u32 histogram_v_or_b[256];
} hi_vpc_histogram_config;
/* What each value of each component becomes. */
typedef struct {
  hi_u8 map_value_y_or_r[256];
  hi_u8 map_value_u_or_g[256];
  hi_u8 map_value_v_or_b[256];
} hi_vpc_lut_remap;

hi_s32 hi_mpi_vpc_create_chn(hi_vpc_chn chn, const hi_vpc_chn_attr* attr);
/* The system chooses the channel. */
hi_s32 hi_mpi_vpc_sys_create_chn(hi_vpc_chn* chn, const hi_vpc_chn_attr* attr);
hi_s32 hi_mpi_vpc_destroy_chn(hi_vpc_chn chn);
/* milli_sec: -1 waits any time, 0 not at all. A task's result is there once. */
hi_s32 hi_mpi_vpc_get_process_result(hi_vpc_chn chn, hi_u32 task_id, hi_s32 milli_sec);

/* The output's size counts; fx and fy do where it is 0. */
hi_s32 hi_mpi_vpc_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                         hi_vpc_pic_info* dest_pic, hi_double fx, hi_double fy,
                         hi_u32 interpolation, hi_u32* task_id, hi_s32 milli_sec);
/* count: 1 to 256 regions, each with a picture of its own. */
hi_s32 hi_mpi_vpc_crop(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                       hi_vpc_crop_region_info crop_info[], hi_u32 count, hi_u32* task_id,
                       hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_crop_resize(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                              hi_vpc_crop_resize_region crop_resize_info[], hi_u32 count,
                              hi_u32* task_id, hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                                    hi_vpc_crop_resize_paste_region crop_resize_paste_info[],
                                    hi_u32 count, hi_u32* task_id, hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_crop_resize_make_border(
    hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
    hi_vpc_crop_resize_border_region crop_resize_make_border_info[], hi_u32 count, hi_u32* task_id,
    hi_s32 milli_sec);
/* region_num: of each of the pic_num inputs, how many of the regions are its. */
hi_s32 hi_mpi_vpc_batch_crop_resize_paste(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic[],
                                          hi_u32 pic_num,
                                          hi_vpc_crop_resize_paste_region crop_resize_paste_info[],
                                          hi_u32 region_num[], hi_u32* task_id, hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_batch_crop_resize_make_border(
    hi_vpc_chn chn, const hi_vpc_pic_info* source_pic[], hi_u32 pic_num,
    hi_vpc_crop_resize_border_region crop_resize_make_border_info[], hi_u32 region_num[],
    hi_u32* task_id, hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_copy_make_border(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                                   hi_vpc_pic_info* dest_pic,
                                   hi_vpc_make_border_info make_border_info, hi_u32* task_id,
                                   hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_convert_color(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                                hi_vpc_pic_info* dest_pic, hi_u32* task_id, hi_s32 milli_sec);
/* Each of the filter_level outputs has half of the one before in each dim. gaussian_filter: 5 rows,
 * NULL: 1 4 6 4 1 in both dims. divisor: a power of 2. Of make_border_info type and first value. */
hi_s32 hi_mpi_vpc_pyrdown(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                          hi_vpc_pic_info dest_pic[], hi_u32 filter_level,
                          hi_s8 gaussian_filter[][5], hi_u16 divisor,
                          hi_vpc_make_border_info make_border_info, hi_u32* task_id,
                          hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_calc_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                            hi_vpc_histogram_config* hist_config, hi_u32* task_id,
                            hi_s32 milli_sec);
hi_s32 hi_mpi_vpc_equalize_hist(hi_vpc_chn chn, const hi_vpc_pic_info* source_pic,
                                hi_vpc_pic_info* dest_pic, const hi_vpc_lut_remap* lut_remap,
                                hi_u32* task_id, hi_s32 milli_sec);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_DVPP_HI_DVPP_VPC_H_
