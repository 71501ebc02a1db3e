// Lists own their items, whoever destroys them first.
#include "opkit/acl/nn/nn_object.h"

#include <gmock/gmock.h>

namespace opkit::acl {
namespace {

const aclTensor* tensor() {
  const int64_t dims[] = {2};
  return aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr);
}

TEST(NnObject, AListForgetsAnItemThatTheProgramDestroyed) {
  const aclTensor* const items[] = {tensor(), tensor()};
  const aclTensorList* const list = aclCreateTensorList(items, 2);
  ASSERT_EQ(aclDestroyTensor(items[0]), ACLNN_SUCCESS);
  const aclTensor* const later = tensor();  // may lie where the destroyed one did
  aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  EXPECT_EQ(aclDestroyTensor(later), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(items[1]), ACLNN_ERR_PARAM_INVALID) << "the list destroyed it";
}

TEST(NnObject, AListOfScalarsForgets) {
  float value = 1;
  const aclScalar* const items[] = {aclCreateScalar(&value, ACL_FLOAT)};
  const aclScalarList* const list = aclCreateScalarList(items, 1);
  ASSERT_EQ(aclDestroyScalar(items[0]), ACLNN_SUCCESS);
  aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyScalarList(list), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

}  // namespace
}  // namespace opkit::acl
