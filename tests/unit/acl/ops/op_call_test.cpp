// What a single operator's call says of attributes that the op does not have.
#include "opkit/acl/ops/op_call.h"

#include <gmock/gmock.h>

#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class OpCalls : public OpVersions {};

// With others to suggest: tests/e2e/programs/op_main.cpp.
TEST_F(OpCalls, AnOpWithoutAttributesSaysWhatToDoAboutOne) {
  install({.plugin = "adds_1"});
  const int64_t dims[] = {8};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclopAttr* const attr = aclopCreateAttr();
  ASSERT_EQ(aclopSetAttrFloat(attr, "alpha", 1), ACL_SUCCESS);
  aclopHandle* handle = nullptr;
  EXPECT_EQ(aclopCreateHandle("AddRelu", 1, &desc, 1, &desc, attr, &handle),
            ACL_ERROR_OP_ATTR_NOT_MATCH);
  EXPECT_THAT(said(), AllOf(HasSubstr("AddRelu has no attribute 'alpha'"),
                            EndsWith("it takes none: pass an aclopAttr without it, or NULL")));
  aclopDestroyAttr(attr);
  aclDestroyTensorDesc(desc);
}

}  // namespace
}  // namespace opkit::acl
