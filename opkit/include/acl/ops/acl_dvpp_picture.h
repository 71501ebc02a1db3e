// Describes pictures, and decodes, encodes, crops, resizes and converts them; a part of acl_dvpp.h.
// (Vendor's pages "acldvppPixelFormat", "acldvppVpcResizeAsync", "acldvppJpegDecodeAsync" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_PICTURE_H_
#define OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_PICTURE_H_

#include "acl/acl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acldvppChannelDesc acldvppChannelDesc;
typedef struct acldvppPicDesc acldvppPicDesc;
typedef struct acldvppBatchPicDesc acldvppBatchPicDesc;
typedef struct acldvppRoiConfig acldvppRoiConfig;
typedef struct acldvppResizeConfig acldvppResizeConfig;
typedef struct acldvppBorderConfig acldvppBorderConfig;
typedef struct acldvppJpegeConfig acldvppJpegeConfig;

/* What is not named here is refused where a picture has it. */
enum acldvppPixelFormat {
  PIXEL_FORMAT_YUV_400 = 0,
  PIXEL_FORMAT_YUV_SEMIPLANAR_420 = 1, /* NV12 */
  PIXEL_FORMAT_YVU_SEMIPLANAR_420 = 2, /* NV21 */
  PIXEL_FORMAT_YUV_SEMIPLANAR_422 = 3,
  PIXEL_FORMAT_YVU_SEMIPLANAR_422 = 4,
  PIXEL_FORMAT_YUV_SEMIPLANAR_444 = 5,
  PIXEL_FORMAT_YVU_SEMIPLANAR_444 = 6,
  PIXEL_FORMAT_YUYV_PACKED_422 = 7,
  PIXEL_FORMAT_UYVY_PACKED_422 = 8,
  PIXEL_FORMAT_YVYU_PACKED_422 = 9,
  PIXEL_FORMAT_VYUY_PACKED_422 = 10,
  PIXEL_FORMAT_YUV_PACKED_444 = 11,
  PIXEL_FORMAT_RGB_888 = 12,
  PIXEL_FORMAT_BGR_888 = 13,
  PIXEL_FORMAT_ARGB_8888 = 14,
  PIXEL_FORMAT_ABGR_8888 = 15,
  PIXEL_FORMAT_RGBA_8888 = 16,
  PIXEL_FORMAT_BGRA_8888 = 17,
  PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT = 18, /* refused */
  PIXEL_FORMAT_YVU_SEMI_PLANNER_420_10BIT = 19, /* refused */
  PIXEL_FORMAT_YVU_PLANAR_420 = 20,             /* refused */
  PIXEL_FORMAT_YUV_SEMIPLANAR_440 = 1000,
  PIXEL_FORMAT_YVU_SEMIPLANAR_440 = 1001,
  PIXEL_FORMAT_UNKNOWN = 10000 /* gives a decoder's output what the file has, V in front of U */
};
enum acldvppChannelMode {
  DVPP_CHNMODE_VPC = 1,
  DVPP_CHNMODE_JPEGD = 2,
  DVPP_CHNMODE_JPEGE = 4,
  DVPP_CHNMODE_PNGD = 8
};
enum acldvppChannelDescParamType {
  ACL_DVPP_CSC_MATRIX_UINT32 = 0,
  ACL_DVPP_MODE_UINT32 = 1,
  ACL_DVPP_CHANNEL_ID_UINT64 = 2,
  ACL_DVPP_CHANNEL_HEIGHT_UINT32 = 3,
  ACL_DVPP_CHANNEL_WIDTH_UINT32 = 4,
  ACL_DVPP_JPEGD_PRECISION_MODE_ENUM = 5 /* refused */
};
enum acldvppCscMatrix {
  ACL_DVPP_CSC_MATRIX_BT601_WIDE = 0,
  ACL_DVPP_CSC_MATRIX_BT601_NARROW = 1,
  ACL_DVPP_CSC_MATRIX_BT709_WIDE = 2,
  ACL_DVPP_CSC_MATRIX_BT709_NARROW = 3,
  ACL_DVPP_CSC_MATRIX_BT2020_WIDE = 4,
  ACL_DVPP_CSC_MATRIX_BT2020_NARROW = 5
};
enum acldvppJpegFormat {
  ACL_JPEG_CSS_444 = 0,
  ACL_JPEG_CSS_422 = 1,
  ACL_JPEG_CSS_420 = 2,
  ACL_JPEG_CSS_GRAY = 3,
  ACL_JPEG_CSS_440 = 4,
  ACL_JPEG_CSS_411 = 5,
  ACL_JPEG_CSS_UNKNOWN = 1000
};
enum acldvppBorderType {
  BORDER_CONSTANT = 0,
  BORDER_REPLICATE = 1,
  BORDER_REFLECT = 2,
  BORDER_REFLECT_101 = 3
};
#ifndef __cplusplus
typedef enum acldvppPixelFormat acldvppPixelFormat;
typedef enum acldvppChannelMode acldvppChannelMode;
typedef enum acldvppChannelDescParamType acldvppChannelDescParamType;
typedef enum acldvppCscMatrix acldvppCscMatrix;
typedef enum acldvppJpegFormat acldvppJpegFormat;
typedef enum acldvppBorderType acldvppBorderType;
#endif

/* Device memory that pictures and files lie in. */
aclError acldvppMalloc(void** devPtr, size_t size);
aclError acldvppFree(void* devPtr);

acldvppChannelDesc* acldvppCreateChannelDesc(void);
/* 148051 while its channel is there. */
aclError acldvppDestroyChannelDesc(acldvppChannelDesc* channelDesc);
uint64_t acldvppGetChannelDescChannelId(const acldvppChannelDesc* channelDesc);
/* What the channel is for, a sum of acldvppChannelMode; in front of acldvppCreateChannel. */
aclError acldvppSetChannelDescMode(acldvppChannelDesc* channelDesc, uint32_t mode);
aclError acldvppSetChannelDescParam(acldvppChannelDesc* channelDesc,
                                    acldvppChannelDescParamType paramType, size_t length,
                                    const void* param);
aclError acldvppGetChannelDescParam(const acldvppChannelDesc* channelDesc,
                                    acldvppChannelDescParamType paramType, size_t length,
                                    size_t* paramRetSize, void* param);
aclError acldvppCreateChannel(acldvppChannelDesc* channelDesc);
aclError acldvppDestroyChannel(acldvppChannelDesc* channelDesc);

/* A picture borrows its memory. Widths and heights count pixels, a width stride bytes. */
acldvppPicDesc* acldvppCreatePicDesc(void);
aclError acldvppDestroyPicDesc(acldvppPicDesc* picDesc);
aclError acldvppSetPicDescData(acldvppPicDesc* picDesc, void* dataDev);
aclError acldvppSetPicDescSize(acldvppPicDesc* picDesc, uint32_t size);
aclError acldvppSetPicDescFormat(acldvppPicDesc* picDesc, acldvppPixelFormat format);
aclError acldvppSetPicDescWidth(acldvppPicDesc* picDesc, uint32_t width);
aclError acldvppSetPicDescHeight(acldvppPicDesc* picDesc, uint32_t height);
aclError acldvppSetPicDescWidthStride(acldvppPicDesc* picDesc, uint32_t widthStride);
aclError acldvppSetPicDescHeightStride(acldvppPicDesc* picDesc, uint32_t heightStride);
aclError acldvppSetPicDescRetCode(acldvppPicDesc* picDesc, uint32_t retCode);
void* acldvppGetPicDescData(const acldvppPicDesc* picDesc);
uint32_t acldvppGetPicDescSize(const acldvppPicDesc* picDesc);
acldvppPixelFormat acldvppGetPicDescFormat(const acldvppPicDesc* picDesc);
uint32_t acldvppGetPicDescWidth(const acldvppPicDesc* picDesc);
uint32_t acldvppGetPicDescHeight(const acldvppPicDesc* picDesc);
uint32_t acldvppGetPicDescWidthStride(const acldvppPicDesc* picDesc);
uint32_t acldvppGetPicDescHeightStride(const acldvppPicDesc* picDesc);
/* Not 0: what was to be written into it failed. */
uint32_t acldvppGetPicDescRetCode(const acldvppPicDesc* picDesc);

/* 1 to 256 pictures, which live as long as the batch. */
acldvppBatchPicDesc* acldvppCreateBatchPicDesc(uint32_t batchSize);
acldvppPicDesc* acldvppGetPicDesc(acldvppBatchPicDesc* batchPicDesc, uint32_t index);
aclError acldvppDestroyBatchPicDesc(acldvppBatchPicDesc* batchPicDesc);

/* Pixels; right and bottom are the last ones inside. */
acldvppRoiConfig* acldvppCreateRoiConfig(uint32_t left, uint32_t right, uint32_t top,
                                         uint32_t bottom);
aclError acldvppDestroyRoiConfig(acldvppRoiConfig* roiConfig);
aclError acldvppSetRoiConfig(acldvppRoiConfig* config, uint32_t left, uint32_t right, uint32_t top,
                             uint32_t bottom);
aclError acldvppSetRoiConfigLeft(acldvppRoiConfig* config, uint32_t left);
aclError acldvppSetRoiConfigRight(acldvppRoiConfig* config, uint32_t right);
aclError acldvppSetRoiConfigTop(acldvppRoiConfig* config, uint32_t top);
aclError acldvppSetRoiConfigBottom(acldvppRoiConfig* config, uint32_t bottom);

/* 0, 1, 3: bilinear; 2, 4: nearest. 5, and 0 on Ascend910A, are filters of the vendor's own. */
acldvppResizeConfig* acldvppCreateResizeConfig(void);
aclError acldvppDestroyResizeConfig(acldvppResizeConfig* resizeConfig);
aclError acldvppSetResizeConfigInterpolation(acldvppResizeConfig* resizeConfig,
                                             uint32_t interpolation);
uint32_t acldvppGetResizeConfigInterpolation(const acldvppResizeConfig* resizeConfig);

acldvppBorderConfig* acldvppCreateBorderConfig(void);
aclError acldvppDestroyBorderConfig(acldvppBorderConfig* borderConfig);
/* index: 0 R or Y, 1 G or U, 2 B or V, 3 reserved. */
aclError acldvppSetBorderConfigValue(acldvppBorderConfig* borderConfig, uint32_t index,
                                     double value);
aclError acldvppSetBorderConfigBorderType(acldvppBorderConfig* borderConfig,
                                          acldvppBorderType borderType);
aclError acldvppSetBorderConfigTop(acldvppBorderConfig* borderConfig, uint32_t top);
aclError acldvppSetBorderConfigBottom(acldvppBorderConfig* borderConfig, uint32_t bottom);
aclError acldvppSetBorderConfigLeft(acldvppBorderConfig* borderConfig, uint32_t left);
aclError acldvppSetBorderConfigRight(acldvppBorderConfig* borderConfig, uint32_t right);
double acldvppGetBorderConfigValue(const acldvppBorderConfig* borderConfig, uint32_t index);
acldvppBorderType acldvppGetBorderConfigBorderType(const acldvppBorderConfig* borderConfig);
uint32_t acldvppGetBorderConfigTop(const acldvppBorderConfig* borderConfig);
uint32_t acldvppGetBorderConfigBottom(const acldvppBorderConfig* borderConfig);
uint32_t acldvppGetBorderConfigLeft(const acldvppBorderConfig* borderConfig);
uint32_t acldvppGetBorderConfigRight(const acldvppBorderConfig* borderConfig);

/* level: 1 to 100, the best. */
acldvppJpegeConfig* acldvppCreateJpegeConfig(void);
aclError acldvppDestroyJpegeConfig(acldvppJpegeConfig* jpegeConfig);
aclError acldvppSetJpegeConfigLevel(acldvppJpegeConfig* jpegeConfig, uint32_t level);
uint32_t acldvppGetJpegeConfigLevel(const acldvppJpegeConfig* jpegeConfig);

/* The first two are of a file in host memory. Decoded to RGB888, to RGBA8888 where the file has
 * alpha, or to what it has (PIXEL_FORMAT_UNKNOWN). Of the output, sizes and strides that are 0 are
 * set. 200001: palettes, and other than 8 bits. */
aclError acldvppPngGetImageInfo(const void* data, uint32_t dataSize, uint32_t* width,
                                uint32_t* height, int32_t* components);
aclError acldvppPngPredictDecSize(const void* data, uint32_t dataSize,
                                  acldvppPixelFormat outputPixelFormat, uint32_t* decSize);
aclError acldvppPngDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size,
                               acldvppPicDesc* outputDesc, aclrtStream stream);

/* Describes a file in host memory. 148052: a coding that is not decoded. */
aclError acldvppJpegGetImageInfo(const void* data, uint32_t size, uint32_t* width, uint32_t* height,
                                 int32_t* components);
aclError acldvppJpegGetImageInfoV2(const void* data, uint32_t size, uint32_t* width,
                                   uint32_t* height, int32_t* components,
                                   acldvppJpegFormat* format);
/* Enough for width strides of 128. */
aclError acldvppJpegPredictDecSize(const void* data, uint32_t dataSize,
                                   acldvppPixelFormat outputPixelFormat, uint32_t* decSize);
/* Enough at any level. */
aclError acldvppJpegPredictEncSize(const acldvppPicDesc* inputDesc,
                                   const acldvppJpegeConfig* config, uint32_t* size);
/* data: a file in device memory. Width, height and strides of the output are set where they are 0.
 */
aclError acldvppJpegDecodeAsync(acldvppChannelDesc* channelDesc, const void* data, uint32_t size,
                                acldvppPicDesc* outputDesc, aclrtStream stream);
/* size: of the memory at data; when the stream has done it, of the file. */
aclError acldvppJpegEncodeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                const void* data, uint32_t* size, acldvppJpegeConfig* config,
                                aclrtStream stream);

aclError acldvppVpcResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                               acldvppPicDesc* outputDesc, acldvppResizeConfig* resizeConfig,
                               aclrtStream stream);
aclError acldvppVpcCropAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                             acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                             aclrtStream stream);
aclError acldvppVpcCropResizeAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                   acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                   acldvppResizeConfig* resizeConfig, aclrtStream stream);
aclError acldvppVpcCropAndPasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                     acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                     acldvppRoiConfig* pasteArea, aclrtStream stream);
aclError acldvppVpcCropResizePasteAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                        acldvppPicDesc* outputDesc, acldvppRoiConfig* cropArea,
                                        acldvppRoiConfig* pasteArea,
                                        acldvppResizeConfig* resizeConfig, aclrtStream stream);
/* roiNums: of each of the size inputs, how many of the areas are its; an output for each area. */
aclError acldvppVpcBatchCropAsync(acldvppChannelDesc* channelDesc,
                                  acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                  uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                  acldvppRoiConfig* cropAreas[], aclrtStream stream);
aclError acldvppVpcBatchCropResizeAsync(acldvppChannelDesc* channelDesc,
                                        acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                        uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                        acldvppRoiConfig* cropAreas[],
                                        acldvppResizeConfig* resizeConfig, aclrtStream stream);
aclError acldvppVpcBatchCropAndPasteAsync(acldvppChannelDesc* channelDesc,
                                          acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
                                          uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs,
                                          acldvppRoiConfig* cropAreas[],
                                          acldvppRoiConfig* pasteAreas[], aclrtStream stream);
aclError acldvppVpcBatchCropResizePasteAsync(
    acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
    uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[],
    acldvppRoiConfig* pasteAreas[], acldvppResizeConfig* resizeConfig, aclrtStream stream);
aclError acldvppVpcBatchCropResizeMakeBorderAsync(
    acldvppChannelDesc* channelDesc, acldvppBatchPicDesc* srcBatchPicDescs, uint32_t* roiNums,
    uint32_t size, acldvppBatchPicDesc* dstBatchPicDescs, acldvppRoiConfig* cropAreas[],
    acldvppBorderConfig* borderCfgs[], acldvppResizeConfig* resizeConfig, aclrtStream stream);
aclError acldvppVpcConvertColorAsync(acldvppChannelDesc* channelDesc, acldvppPicDesc* inputDesc,
                                     acldvppPicDesc* outputDesc, aclrtStream stream);
aclError acldvppVpcMakeBorderAsync(const acldvppChannelDesc* channelDesc,
                                   const acldvppPicDesc* inputDesc, acldvppPicDesc* outputDesc,
                                   const acldvppBorderConfig* borderConfig, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_OPS_ACL_DVPP_PICTURE_H_
