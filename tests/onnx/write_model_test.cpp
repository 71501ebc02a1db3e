// How large a model may be that is written.
#include "opkit/rewrite/onnx/write_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::onnx_frontend {
namespace {

TEST(WriteModel, RefusesMoreBytesThanAFileHolds) {
  onnx::ModelProto model;
  model.set_producer_name(std::string(100, 'p'));
  const auto whole = written(model);
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(written(model, whole->size()).ok());
  const auto refused = written(model, whole->size() - 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(),
              testing::HasSubstr("OPK-ONNX-009: the model would have"));
  EXPECT_EQ(kMostModelBytes, 2147483647u);
}

}  // namespace
}  // namespace opkit::onnx_frontend
