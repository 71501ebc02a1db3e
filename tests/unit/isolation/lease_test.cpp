#include "opkit/isolation/lease.h"

#include <gtest/gtest.h>

namespace opkit::isolation {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kTensor = uint64_t{1} << 33;  // 2^31 floats

// z = x + y of so many elements, as far as placing it goes.
struct Call {
  explicit Call(int64_t elements) {
    contract = OpContract::parse(R"(op: Sum
version: "1.0.0"
inputs: {x: {dtype: float32, shape: [N], format: ND}, y: {dtype: float32, shape: [N], format: ND}}
outputs: {z: {dtype: float32, shape: [N], format: ND}}
reference: [{op: Add, in: [x, y], out: z}]
soc: [Ascend910B]
)",
                                 "sum.yaml")
                   .value();
    const auto layout = StorageLayout::of(Format::kND, DType::kFloat32, Shape({elements})).value();
    plan.contract = &contract;
    plan.input_layouts = {{layout}, {layout}};
    plan.output_layouts = {{layout}};
    plan.initial.resize(1);
  }
  OpContract contract;
  CallPlan plan;
};

TEST(Placement, TensorsOfMoreThan32BitsLieApart) {
  const Call call(int64_t{1} << 31);
  const auto at = place(call.plan, 100 * (kTensor / 8));
  ASSERT_TRUE(at.ok()) << at.error().to_string();
  const Slot &x = at->inputs[0][0], &y = at->inputs[1][0], &z = at->outputs[0][0];
  EXPECT_EQ(x.bytes, kTensor);
  EXPECT_GE(x.at, x.pages_at);
  EXPECT_LE(x.at + x.room, x.pages_at + x.pages_bytes);
  EXPECT_GE(y.pages_at, x.pages_at + x.pages_bytes + kPage);
  EXPECT_TRUE(z.writable);
  EXPECT_EQ(ends_of(*at).outputs, z.pages_at + z.pages_bytes);
  EXPECT_GE(ends_of(*at).inputs, 2 * kTensor);
  EXPECT_GE(bytes_of(*at), 3 * kTensor);
}

TEST(Placement, BeginsBehindWhatIsKept) {
  const Call call(1000);
  const Ends kept{5 * kTensor, 3 * kTensor};
  const auto at = place(call.plan, kMiB, kept);
  ASSERT_TRUE(at.ok());
  EXPECT_EQ(at->inputs[0][0].pages_at, kept.inputs + kPage);
  EXPECT_EQ(at->outputs[0][0].pages_at, kept.outputs + kPage);
}

TEST(Placement, RefusesWhatHasNoRoomLeft) {
  const Call small(1000), large(int64_t{1} << 33);
  EXPECT_EQ(place(small.plan, kMiB, {kArenaBytes - kPage, 0}).error().code, "OPK-WORKER-009");
  EXPECT_EQ(place(large.plan, ~uint64_t{0}).error().code, "OPK-WORKER-009");
  EXPECT_EQ(place(Call(int64_t{1} << 31).plan, 2 * kTensor).error().code, "OPK-WORKER-009");
}

TEST(Placement, OfTheMachinesLimitsTellsTheMachine) {
  const Error error =
      place(Call(int64_t{1} << 31).plan, 2 * kTensor, {}, "for the host has 1 MiB").error();
  EXPECT_EQ(error.code, "OPK-WORKER-012");
  EXPECT_NE(error.message.find("for the host has 1 MiB"), std::string::npos);
}

TEST(Leases, OfOtherArenasCountAndAreInNobodysWay) {
  auto shared = std::make_shared<const SharedWithWorker>(SharedWithWorker::make().value());
  Leases leases;
  const Call call(100000);
  const Placement at = place(call.plan, 2 * kMiB).value();
  const auto lease = leases.take(shared, {}, at);
  const uint64_t bytes = leases.bytes();
  ASSERT_GT(bytes, 0u);
  EXPECT_NE(leases.gap(ends_of(at)), Ends());
  leases.leave_arenas();
  EXPECT_EQ(leases.gap(ends_of(at)), Ends());
  EXPECT_EQ(leases.bytes(), bytes);
}

// Most pages are never touched.
TEST(Leases, KeepTheirMemoryAsLongAsTheirTensors) {
  auto shared = std::make_shared<const SharedWithWorker>(SharedWithWorker::make().value());
  Leases leases;
  const Call call(int64_t{1} << 31);
  const Placement at = place(call.plan, 3 * kTensor).value();
  auto lease = leases.take(shared, {}, at);
  ASSERT_TRUE(lease);
  EXPECT_EQ(leases.gap({kPage, kPage}), ends_of(at));
  EXPECT_EQ(leases.bytes(), ends_of(at).inputs + ends_of(at).outputs);
  const TensorDesc desc{"z", DType::kFloat32, Shape({int64_t{1} << 31}), Format::kND};
  Tensor tensor = tensor_in(lease, at.outputs[0][0], desc);
  lease.reset();
  tensor.set((int64_t{1} << 31) - 1, 7);
  EXPECT_EQ(shared->outputs.data() + at.outputs[0][0].at, tensor.data());
  EXPECT_EQ(tensor.at((int64_t{1} << 31) - 1), 7);
  EXPECT_GT(leases.bytes(), 0u);
  tensor = Tensor();
  EXPECT_EQ(leases.bytes(), 0u);
  EXPECT_EQ(leases.gap({kPage, kPage}), Ends());
  // The pages went back.
  const auto again = leases.take(shared, {}, at);
  EXPECT_EQ(tensor_in(again, at.outputs[0][0], desc).at((int64_t{1} << 31) - 1), 0);
}

TEST(Leases, SmallCallsHaveNone) {
  auto shared = std::make_shared<const SharedWithWorker>(SharedWithWorker::make().value());
  Leases leases;
  const Call call(1000);
  EXPECT_EQ(leases.take(shared, {}, place(call.plan, kMiB).value()), nullptr);
  EXPECT_EQ(leases.bytes(), 0u);
}

// The call before last of a program that always keeps the last one's tensors gives its place to
// the next, so that the arenas end where they ended.
TEST(Leases, TakeTheFirstGapThatHoldsThem) {
  auto shared = std::make_shared<const SharedWithWorker>(SharedWithWorker::make().value());
  Leases leases;
  const Call call(100000);
  const Ends needed = ends_of(place(call.plan, 2 * kMiB).value());
  const auto lease = [&](Ends from) {
    return leases.take(shared, from, place(call.plan, 2 * kMiB, from).value());
  };
  auto one = lease({});
  ASSERT_TRUE(one);
  const auto two = lease(leases.gap(needed));
  EXPECT_EQ(two->from(), one->to());
  const auto three = lease(leases.gap(needed));
  EXPECT_EQ(three->from(), two->to());
  one.reset();
  EXPECT_EQ(leases.gap(needed), Ends());
  EXPECT_EQ(leases.gap({needed.inputs, needed.outputs + kPage}), (Ends{0, three->to().outputs}));
  const auto four = lease(leases.gap(needed));
  EXPECT_EQ(four->from(), Ends());
  EXPECT_EQ(leases.gap(needed), three->to());
}

// Pages at the arena's front stay for the next call.
TEST(Leases, KeepTheirFirstPages) {
  auto shared = std::make_shared<const SharedWithWorker>(SharedWithWorker::make().value());
  Leases leases;
  const Call call(100000);
  const Placement at = place(call.plan, 2 * kMiB).value();
  const TensorDesc desc{"z", DType::kFloat32, Shape({100000}), Format::kND};
  tensor_in(leases.take(shared, {}, at), at.outputs[0][0], desc).set(9, 7);
  EXPECT_EQ(tensor_in(leases.take(shared, {}, at), at.outputs[0][0], desc).at(9), 7);
  const Ends far{0, kWarm};
  const Placement there = place(call.plan, 2 * kMiB, far).value();
  tensor_in(leases.take(shared, far, there), there.outputs[0][0], desc).set(9, 7);
  EXPECT_EQ(tensor_in(leases.take(shared, far, there), there.outputs[0][0], desc).at(9), 0);
}

}  // namespace
}  // namespace opkit::isolation
