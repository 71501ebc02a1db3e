#include "opkit/acl/tensors/tensor_desc.h"

#include <gmock/gmock.h>

#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

TEST(TensorDesc, AnswersWhatItWasToldOf) {
  const int64_t dims[] = {2, 3, 5};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT16, 3, dims, ACL_FORMAT_NCHW);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), 3u);
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 30u);
  EXPECT_EQ(aclGetTensorDescSize(desc), 60u);
  EXPECT_EQ(aclGetTensorDescDim(desc, 2), 5);
  EXPECT_EQ(aclGetTensorDescDim(desc, 3), -1);
  EXPECT_THAT(said(), HasSubstr("dim 3 of a tensor with 3"));
  aclSetTensorDescName(desc, "image");
  EXPECT_STREQ(aclGetTensorDescName(desc), "image");
  int64_t range[2] = {};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 3);
  EXPECT_EQ(range[1], 3);
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(aclGetTensorDescSize(desc), 0u);
  EXPECT_THAT(said(), HasSubstr("no aclTensorDesc, or it was destroyed"));
}

TEST(TensorDesc, OpenDimsHaveRanges) {
  const int64_t dims[] = {-1, 4};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_INT8, 2, dims, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescSize(desc), 0u);
  int64_t ranges[][2] = {{1, 8}, {4, 4}};
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, ranges), ACL_SUCCESS);
  int64_t range[2] = {};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[1], 8);
  int64_t wrong[][2] = {{1, 8}, {5, -1}};
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, wrong), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("dim 1 of 4 cannot lie from 5 to -1"));
  EXPECT_EQ(aclSetTensorShapeRange(desc, 1, ranges), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[1], 8) << "a refused call changes nothing";
  aclDestroyTensorDesc(desc);
}

TEST(TensorDesc, AnyRankStandsAlone) {
  const int64_t any[] = {-2}, mixed[] = {-2, 3}, less[] = {-3};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, any, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescNumDims(desc), ACL_UNKNOWN_RANK);
  aclDestroyTensorDesc(desc);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, mixed, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 1, less, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 129, any, ACL_FORMAT_ND), nullptr);
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND), nullptr);
  EXPECT_THAT(said(), HasSubstr("1 dims at"));
}

TEST(TensorDesc, MoreElementsThanCanBeCountedHaveNoSize) {
  const int64_t dims[] = {int64_t{1} << 40, int64_t{1} << 40};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
  EXPECT_EQ(aclGetTensorDescSize(desc), 0u);
  float value = 1;
  EXPECT_EQ(aclSetTensorConst(desc, &value, sizeof value), ACL_ERROR_INVALID_PARAM);
  aclDestroyTensorDesc(desc);
}

TEST(DataBuffer, BorrowsItsMemory) {
  int value = 0;
  aclDataBuffer* const buffer = aclCreateDataBuffer(&value, sizeof value);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, size_t{1} << 33), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size_t{1} << 33);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 0u);
  EXPECT_THAT(said(), HasSubstr("aclGetDataBufferSizeV2"));
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace opkit::acl
