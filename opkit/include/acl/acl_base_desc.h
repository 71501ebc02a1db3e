// Buffers and descriptions of tensors, as models and single operators take them; a part
// of acl_base.h. (Vendor's pages "aclCreateDataBuffer", "aclCreateTensorDesc" and their
// neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_BASE_DESC_H_
#define OPKIT_INCLUDE_ACL_ACL_BASE_DESC_H_

#include "acl_base_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;
typedef enum {
  ACL_MEMTYPE_DEVICE = 0,
  ACL_MEMTYPE_HOST = 1,
  ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

/* A buffer borrows its memory. Questions about a handle that is none answer NULL or 0; the text of
 * aclGetRecentErrMsg says so. */
aclDataBuffer* aclCreateDataBuffer(void* data, size_t size);
aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer);
aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size);
void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer);
size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer);
/* The older form: sizes of 4 GiB and more do not fit, and answer 0. */
uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer);

/* dims: -1 = any, then a range may be set; one dim of -2 = any rank. */
aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc* desc);
aclDataType aclGetTensorDescType(const aclTensorDesc* desc);
aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc);
/* 0 while a dim is open. */
size_t aclGetTensorDescSize(const aclTensorDesc* desc);
size_t aclGetTensorDescElementCount(const aclTensorDesc* desc);
/* ACL_UNKNOWN_RANK for any rank. */
size_t aclGetTensorDescNumDims(const aclTensorDesc* desc);
aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize);
/* The older form: -1 when there is no such dim. */
int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index);
aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange);
/* dimsRange: the least and the most of every dim, -1 = no bound. */
aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
void aclSetTensorDescName(aclTensorDesc* desc, const char* name);
/* Describes what aclmdlCreateAndGetOpDesc gives: one of those behind its handle, which
 * aclDestroyTensorDesc of that handle destroys, and where its tensor lies; of others the
 * description itself, and NULL. */
aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index);
void* aclGetTensorDescAddress(const aclTensorDesc* desc);
/* Lives as long as the description, until another name is set. */
const char* aclGetTensorDescName(aclTensorDesc* desc);
/* How the device stores the tensor, when that differs from what its author sees. */
aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format);
aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims);
/* Host memory: an operator may read the value while it is planned. */
aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType);
/* The values of a constant input, in host memory; copied. */
aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_BASE_DESC_H_
