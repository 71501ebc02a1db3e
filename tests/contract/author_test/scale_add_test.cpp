#include "opkit/testing/op_test.h"

#include <gmock/gmock.h>

using opkit::testing::Answer;
using opkit::testing::Call;
using testing::_;
using testing::ElementsAre;
using testing::Return;

class ScaleAddTest : public opkit::testing::OpTest {
 protected:
  ScaleAddTest() { use(opkit::testing::one_package(SCALE_ADD_PACKAGE)); }

  static Call call() {
    Call call;
    call.op = "RightScaleAdd";
    call.inputs["x"] = {"float32", {3}, {1, 2, 3}};
    call.inputs["y"] = {"float32", {3}, {10, 20, 30}};
    call.attrs["alpha"] = "2";
    return call;
  }
};

TEST_F(ScaleAddTest, ScalesBeforeItAdds) {
  const Answer answer = run(call());
  ASSERT_TRUE(answer.ok()) << answer.message;
  EXPECT_THAT(answer.outputs.at("z").elements, ElementsAre(12, 24, 36));
}

TEST_F(ScaleAddTest, RefusesShapesThatDiffer) {
  Call wrong = call();
  wrong.inputs["y"] = {"float32", {2}, {10, 20}};
  EXPECT_THAT(run(wrong).code, testing::StartsWith("OPK-INFER-"));
}

TEST_F(ScaleAddTest, TellsCallsThatDoNotFit) {
  Call wrong = call();
  wrong.inputs["y"].elements.pop_back();
  EXPECT_EQ(run(wrong).code, "OPK-TESTING-001");
  wrong.op = "AnotherOp";
  EXPECT_EQ(run(wrong).code, "OPK-TESTING-002");
}

TEST_F(ScaleAddTest, DoesItsContract) { EXPECT_TRUE(does_its_contract("RightScaleAdd")); }

// Code that calls ops is tested without a chip: device and registry are interfaces.
class FakeDevice : public opkit::testing::Device {
 public:
  MOCK_METHOD(Answer, run, (const std::string& package, const Call& call), (override));
};

TEST_F(ScaleAddTest, SaysWhatTheDeviceSays) {
  auto device = std::make_unique<FakeDevice>();
  Answer broken;
  broken.code = "EK1005";
  EXPECT_CALL(*device, run(SCALE_ADD_PACKAGE, _)).WillOnce(Return(broken));
  use(std::move(device));
  EXPECT_EQ(run(call()).code, "EK1005");
}
