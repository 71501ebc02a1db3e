// Models that atc compiled: loading, questions, execution. (Vendor's pages "aclmdlLoadFromFile",
// "aclmdlExecute", "aclmdlGetInputDims" and their neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_MDL_H_
#define OPKIT_INCLUDE_ACL_ACL_MDL_H_

#include <stdbool.h>

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_MAX_DIM_CNT 128
#define ACL_MAX_TENSOR_NAME_LEN 128
#define ACL_MAX_BATCH_NUM 128
#define ACL_MAX_HW_NUM 128
#define ACL_DYNAMIC_TENSOR_NAME "ascend_mbatch_shape_data"
#define ACL_DYNAMIC_AIPP_NAME "ascend_dynamic_aipp_data"

typedef struct aclmdlDataset aclmdlDataset;
typedef struct aclmdlDesc aclmdlDesc;

typedef struct aclmdlIODims {
  char name[ACL_MAX_TENSOR_NAME_LEN];
  size_t dimCount;
  int64_t dims[ACL_MAX_DIM_CNT];
} aclmdlIODims;
typedef struct aclmdlBatch {
  size_t batchCount;
  uint64_t batch[ACL_MAX_BATCH_NUM];
} aclmdlBatch;
typedef struct aclmdlHW {
  size_t hwCount;
  uint64_t hw[ACL_MAX_HW_NUM][2];
} aclmdlHW;
typedef enum {
  ACL_DATA_WITHOUT_AIPP = 0,
  ACL_DATA_WITH_STATIC_AIPP = 1,
  ACL_DATA_WITH_DYNAMIC_AIPP = 2,
  ACL_DYNAMIC_AIPP_NODE = 3
} aclmdlInputAippType;

typedef enum {
  ACL_YUV420SP_U8 = 1,
  ACL_XRGB8888_U8 = 2,
  ACL_RGB888_U8 = 3,
  ACL_YUV400_U8 = 4,
  ACL_NC1HWC0DI_FP16 = 5,
  ACL_NC1HWC0DI_S8 = 6,
  ACL_ARGB8888_U8 = 7,
  ACL_YUYV_U8 = 8,
  ACL_YUV422SP_U8 = 9,
  ACL_AYUV444_U8 = 10,
  ACL_RAW10 = 11,
  ACL_RAW12 = 12,
  ACL_RAW16 = 13,
  ACL_RAW24 = 14,
  ACL_AIPP_RESERVED = 0xffff
} aclAippInputFormat;
#define ACL_MAX_SHAPE_COUNT 128
typedef struct aclAippDims {
  aclmdlIODims srcDims;     /* describe the input of the model that atc was given */
  size_t srcSize;           /* its bytes */
  aclmdlIODims aippOutdims; /* describe what AIPP gives: the same, dense */
  size_t aippOutSize;
} aclAippDims;
typedef struct aclAippExtendInfo {
  bool isAippExtend;
} aclAippExtendInfo;
typedef struct aclAippInfo {
  aclAippInputFormat inputFormat;
  int32_t srcImageSizeW, srcImageSizeH;
  int8_t cropSwitch;
  int32_t loadStartPosW, loadStartPosH, cropSizeW, cropSizeH;
  int8_t resizeSwitch;
  int32_t resizeOutputW, resizeOutputH;
  int8_t paddingSwitch;
  int32_t leftPaddingSize, rightPaddingSize, topPaddingSize, bottomPaddingSize;
  int8_t cscSwitch, rbuvSwapSwitch, axSwapSwitch, singleLineMode;
  int32_t matrixR0C0, matrixR0C1, matrixR0C2, matrixR1C0, matrixR1C1, matrixR1C2;
  int32_t matrixR2C0, matrixR2C1, matrixR2C2;
  int32_t outputBias0, outputBias1, outputBias2, inputBias0, inputBias1, inputBias2;
  int32_t meanChn0, meanChn1, meanChn2, meanChn3;
  float minChn0, minChn1, minChn2, minChn3;
  float varReciChn0, varReciChn1, varReciChn2, varReciChn3;
  aclFormat srcFormat; /* describes the input of the model that atc was given */
  aclDataType srcDatatype;
  size_t srcDimNum;
  size_t shapeCount; /* gears; 1 of a model of one shape */
  aclAippDims outDims[ACL_MAX_SHAPE_COUNT];
  aclAippExtendInfo* aippExtend; /* NULL */
} aclAippInfo;
typedef struct aclmdlAIPP aclmdlAIPP;

/* Bytes of device memory that the model wants; neither is 0. The file is read and judged. */
aclError aclmdlQuerySize(const char* fileName, size_t* workSize, size_t* weightSize);
aclError aclmdlQuerySizeFromMem(const void* model, size_t modelSize, size_t* workSize,
                                size_t* weightSize);
/* A model of another chip, or whose ops are not installed as they were when it was made, is
 * refused. */
aclError aclmdlLoadFromFile(const char* modelPath, uint32_t* modelId);
aclError aclmdlLoadFromMem(const void* model, size_t modelSize, uint32_t* modelId);
/* workPtr, weightPtr: device memory of the sizes that aclmdlQuerySize gives, the caller's until the
 * model is unloaded; NULL: the runtime takes it. Models that run one after the other may share
 * workPtr. */
aclError aclmdlLoadFromFileWithMem(const char* modelPath, uint32_t* modelId, void* workPtr,
                                   size_t workSize, void* weightPtr, size_t weightSize);
aclError aclmdlLoadFromMemWithMem(const void* model, size_t modelSize, uint32_t* modelId,
                                  void* workPtr, size_t workSize, void* weightPtr,
                                  size_t weightSize);
aclError aclmdlUnload(uint32_t modelId);

typedef struct aclmdlConfigHandle aclmdlConfigHandle;
typedef enum {
  ACL_MDL_PRIORITY_INT32 = 0,
  ACL_MDL_LOAD_TYPE_SIZET = 1,
  ACL_MDL_PATH_PTR = 2,
  ACL_MDL_MEM_ADDR_PTR = 3,
  ACL_MDL_MEM_SIZET = 4,
  ACL_MDL_WEIGHT_ADDR_PTR = 5,
  ACL_MDL_WEIGHT_SIZET = 6,
  ACL_MDL_WORKSPACE_ADDR_PTR = 7,
  ACL_MDL_WORKSPACE_SIZET = 8,
  ACL_MDL_INPUTQ_NUM_SIZET = 9,
  ACL_MDL_INPUTQ_ADDR_PTR = 10,
  ACL_MDL_OUTPUTQ_NUM_SIZET = 11,
  ACL_MDL_OUTPUTQ_ADDR_PTR = 12,
  ACL_MDL_WORKSPACE_MEM_OPTIMIZE = 13,
  ACL_MDL_WEIGHT_PATH_PTR = 14
} aclmdlConfigAttr;
#define ACL_MDL_LOAD_FROM_FILE 1
#define ACL_MDL_LOAD_FROM_FILE_WITH_MEM 2
#define ACL_MDL_LOAD_FROM_MEM 3
#define ACL_MDL_LOAD_FROM_MEM_WITH_MEM 4
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6

/* Load a model option by option. attrValue points to the value, of valueSize bytes; a path is
 * copied, memory is not. A load type must be set, and what it takes. A priority, 0 to 7, changes
 * nothing here; queues, ACL_MDL_WEIGHT_PATH_PTR and ACL_MDL_WORKSPACE_MEM_OPTIMIZE are refused. */
aclmdlConfigHandle* aclmdlCreateConfigHandle(void);
aclError aclmdlDestroyConfigHandle(aclmdlConfigHandle* handle);
aclError aclmdlSetConfigOpt(aclmdlConfigHandle* handle, aclmdlConfigAttr attr,
                            const void* attrValue, size_t valueSize);
aclError aclmdlLoadWithConfig(const aclmdlConfigHandle* handle, uint32_t* modelId);

/* A description outlives its model. Questions about what is not there answer 0, NULL or the
 * undefined value, and the text of aclGetRecentErrMsg says so. */
aclmdlDesc* aclmdlCreateDesc(void);
aclError aclmdlDestroyDesc(aclmdlDesc* modelDesc);
aclError aclmdlGetDesc(aclmdlDesc* modelDesc, uint32_t modelId);
aclError aclmdlGetDescFromFile(aclmdlDesc* modelDesc, const char* modelPath);
aclError aclmdlGetDescFromMem(aclmdlDesc* modelDesc, const void* model, size_t modelSize);
size_t aclmdlGetNumInputs(aclmdlDesc* modelDesc);
size_t aclmdlGetNumOutputs(aclmdlDesc* modelDesc);
size_t aclmdlGetInputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
size_t aclmdlGetOutputSizeByIndex(aclmdlDesc* modelDesc, size_t index);
const char* aclmdlGetInputNameByIndex(const aclmdlDesc* modelDesc, size_t index);
const char* aclmdlGetOutputNameByIndex(const aclmdlDesc* modelDesc, size_t index);
aclError aclmdlGetInputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index);
aclError aclmdlGetOutputIndexByName(const aclmdlDesc* modelDesc, const char* name, size_t* index);
/* A name of more than 127 bytes is shown as a shorter one; aclmdlGetTensorRealName gives it back.
 */
aclError aclmdlGetInputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
/* Describes an input with static AIPP: aclmdlGetInputDims gives the image's [n, h, w, c], V2 the
 * memory's: of YUV420SP_U8 [n, h * 3 / 2, w, 1]. Of one with dynamic AIPP aclmdlGetInputDims gives
 * what the model takes behind AIPP, V2 the bytes. Everywhere else both are the same. */
aclError aclmdlGetInputDimsV2(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
aclError aclmdlGetOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
aclError aclmdlGetCurOutputDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims);
const char* aclmdlGetTensorRealName(const aclmdlDesc* modelDesc, const char* name);
aclFormat aclmdlGetInputFormat(const aclmdlDesc* modelDesc, size_t index);
aclFormat aclmdlGetOutputFormat(const aclmdlDesc* modelDesc, size_t index);
aclDataType aclmdlGetInputDataType(const aclmdlDesc* modelDesc, size_t index);
aclDataType aclmdlGetOutputDataType(const aclmdlDesc* modelDesc, size_t index);

/* Gears. A model that was compiled for one shape has none: counts are 0, and setting one is an
 * error. index: of input ACL_DYNAMIC_TENSOR_NAME, for which the dataset must have a buffer. The
 * gear is the dataset's; a model with gears runs only with one. */
aclError aclmdlGetDynamicBatch(const aclmdlDesc* modelDesc, aclmdlBatch* batch);
aclError aclmdlGetDynamicHW(const aclmdlDesc* modelDesc, size_t index, aclmdlHW* hw);
aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* modelDesc, size_t index,
                                        size_t* gearCount);
aclError aclmdlGetInputDynamicDims(const aclmdlDesc* modelDesc, size_t index, aclmdlIODims* dims,
                                   size_t gearCount);
aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   uint64_t batchSize);
aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                uint64_t height, uint64_t width);
aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlIODims* dims);
/* dynamicAttachedDataIndex: of an input with dynamic AIPP the input that takes the settings; else
 * 0xFFFFFFFF. */
aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType* type,
                           size_t* dynamicAttachedDataIndex);
/* Fills, for dynamic AIPP, srcFormat, srcDatatype, srcDimNum, shapeCount and outDims alone; the
 * rest is zero. ACL_ERROR_NOT_STATIC_AIPP: the input has no AIPP. */
aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo* aippInfo);

/* Settings of dynamic AIPP for batchSize images (of a model with gears the most it takes).
 * Channels, colours and sizes are those of all images; what has a batchIndex is one image's. The
 * format and the size must be set. Resizing (aclmdlSetAIPPScfParams with scfSwitch 1) is refused.
 */
aclmdlAIPP* aclmdlCreateAIPP(uint64_t batchSize);
aclError aclmdlDestroyAIPP(const aclmdlAIPP* aippParmsSet);
/* Bytes of an input for the settings of so many images. */
aclError aclmdlGetAippDataSize(uint64_t batchSize, size_t* size);
aclError aclmdlSetAIPPInputFormat(aclmdlAIPP* aippParmsSet, aclAippInputFormat inputFormat);
aclError aclmdlSetAIPPCscParams(aclmdlAIPP* aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
                                int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
                                int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
                                int16_t cscMatrixR2C1, int16_t cscMatrixR2C2,
                                uint8_t cscOutputBiasR0, uint8_t cscOutputBiasR1,
                                uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
                                uint8_t cscInputBiasR1, uint8_t cscInputBiasR2);
aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t rbuvSwapSwitch);
aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP* aippParmsSet, int8_t axSwapSwitch);
aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP* aippParmsSet, int32_t srcImageSizeW,
                                   int32_t srcImageSizeH);
aclError aclmdlSetAIPPScfParams(aclmdlAIPP* aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW,
                                int32_t scfInputSizeH, int32_t scfOutputSizeW,
                                int32_t scfOutputSizeH, uint64_t batchIndex);
aclError aclmdlSetAIPPCropParams(aclmdlAIPP* aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
                                 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH,
                                 uint64_t batchIndex);
aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP* aippParmsSet, int8_t paddingSwitch,
                                    int32_t paddingSizeTop, int32_t paddingSizeBottom,
                                    int32_t paddingSizeLeft, int32_t paddingSizeRight,
                                    uint64_t batchIndex);
aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP* aippParmsSet, int16_t dtcPixelMeanChn0,
                                   int16_t dtcPixelMeanChn1, int16_t dtcPixelMeanChn2,
                                   int16_t dtcPixelMeanChn3, uint64_t batchIndex);
aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP* aippParmsSet, float dtcPixelMinChn0,
                                  float dtcPixelMinChn1, float dtcPixelMinChn2,
                                  float dtcPixelMinChn3, uint64_t batchIndex);
aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP* aippParmsSet, float dtcPixelVarReciChn0,
                                   float dtcPixelVarReciChn1, float dtcPixelVarReciChn2,
                                   float dtcPixelVarReciChn3, uint64_t batchIndex);
/* Write the settings into the dataset's buffer for them. index: of aclmdlSetInputAIPP the input
 * that takes settings (ACL_DYNAMIC_AIPP_NAME), of aclmdlSetAIPPByInputIndex the one that takes
 * images. A model with dynamic AIPP runs only with a dataset whose settings were set. */
aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                            const aclmdlAIPP* aippParmsSet);
aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset* dataset, size_t index,
                                   const aclmdlAIPP* aippParmsSet);

/* A dataset borrows its buffers. */
aclmdlDataset* aclmdlCreateDataset(void);
aclError aclmdlDestroyDataset(const aclmdlDataset* dataset);
aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset, aclDataBuffer* dataBuffer);
size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset);
aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset, size_t index);
/* Shapes of an input; they choose the gear of a model that was compiled for ranges, of another
 * model they must be the model's. Copied. */
aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* tensorDesc,
                                    size_t index);
/* A copy, which the caller destroys; NULL: none was set. */
aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset, size_t index);

/* Buffers are device memory, at least as large as the description says. Outputs of
 * aclCreateDataBuffer(NULL, 0) get memory, which the program frees. Returns when the model has run.
 */
aclError aclmdlExecute(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output);
/* The model and the buffers must live until the stream is synchronized; dataset and buffer objects
 * need not. Outputs have memory. */
aclError aclmdlExecuteAsync(uint32_t modelId, const aclmdlDataset* input, aclmdlDataset* output,
                            aclrtStream stream);

/* The operator that a task failed at: a step of a model, or a single operator; deviceId, streamId
 * and taskId are those of aclrtExceptionInfo. The latest 64 are known. opNameLen: bytes of opName,
 * which must hold the name and its end. A description of all inputs (outputs): see
 * aclGetTensorDescByIndex; NULL for none. 500001: no such task, or it failed at no operator. */
aclError aclmdlCreateAndGetOpDesc(uint32_t deviceId, uint32_t streamId, uint32_t taskId,
                                  char* opName, size_t opNameLen, aclTensorDesc** inputDesc,
                                  size_t* numInputs, aclTensorDesc** outputDesc,
                                  size_t* numOutputs);

/* Dump: tensors of the steps of models that are loaded behind aclmdlSetDump are written as .npy,
 * each time that they run, until aclmdlFinalizeDump. The file is JSON:
 * {"dump": {"dump_path": "folder", "dump_mode": "output",
 *           "dump_list": [{"model_name": "net", "layer": ["conv1"]}]}} */
aclError aclmdlInitDump(void);
aclError aclmdlSetDump(const char* dumpCfgPath);
aclError aclmdlFinalizeDump(void);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_MDL_H_
