#include "opkit/call/execute/shared_plans.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace opkit {
namespace {

InputFacts input(const std::string& name, DType dtype, Shape shape, Format format = Format::kND) {
  return {{name, dtype, std::move(shape), format}, {}};
}

std::string key_of(const CallFacts& facts) { return SharedPlans::key_of("Ascend910B1", facts); }

TEST(SharedPlans, KeysTellCallsApart) {
  const std::byte one{1}, two{2};
  CallFacts plain;
  plain.inputs = {{input("x", DType::kFloat32, {2, 3})}};
  std::vector<CallFacts> calls(14, plain);
  calls[1].inputs[0][0].desc.shape = {3, 2};
  calls[2].inputs[0][0].desc.dtype = DType::kFloat16;
  calls[3].inputs[0][0].desc.format = Format::kNCHW;
  calls[4].inputs[0][0].value = {&one, 1};
  calls[5].inputs[0][0].value = {&two, 1};
  calls[6].inputs[0].push_back(input("y", DType::kFloat32, {2, 3}));
  calls[7].inputs.push_back({input("y", DType::kFloat32, {2, 3})});
  calls[8].attrs["alpha"] = 0.5;
  calls[9].attrs["alpha"] = std::nextafter(0.5, 1);
  calls[10].attrs["alpha"] = std::string("0.5");
  calls[11].attrs["alpha"] = std::vector<double>{0.5};
  calls[12].attrs["axes"] = std::vector<int64_t>{0, 1};
  calls[13].output_shapes = {{Shape{2, 3}}};
  std::set<std::string> keys = {SharedPlans::key_of("Ascend310B1", plain)};
  for (const CallFacts& call : calls) keys.insert(key_of(call));
  EXPECT_EQ(keys.size(), calls.size() + 1);
}

TEST(SharedPlans, NamesMakeNoDifference) {
  CallFacts a, b;
  a.inputs = {{input("x", DType::kFloat32, {2, 3})}};
  b.inputs = {{input("layer1/out", DType::kFloat32, {2, 3})}};
  EXPECT_EQ(key_of(a), key_of(b));
}

TEST(SharedPlans, AreForgottenWithTheirLastHolder) {
  SharedPlans plans;
  auto plan = std::make_shared<const CallPlan>();
  plans.add("a", plan);
  EXPECT_EQ(plans.find("a"), plan);
  EXPECT_EQ(plans.find("b"), nullptr);
  for (int i = 0; i < 1000; ++i)
    plans.add("gone" + std::to_string(i), std::make_shared<CallPlan>());
  EXPECT_EQ(plans.find("gone999"), nullptr);
  EXPECT_EQ(plans.find("a"), plan);
  plan.reset();
  EXPECT_EQ(plans.find("a"), nullptr);
}

}  // namespace
}  // namespace opkit
