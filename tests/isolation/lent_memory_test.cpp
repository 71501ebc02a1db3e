// Memory that a host lends a worker, and gets back with the results in it.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <set>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/isolation/out_of_process.h"
#include "tests/isolation/out_of_process.h"

namespace opkit::isolation {
namespace {

using testing::HasSubstr;

// Inputs of a call that is not small are made where the worker reads them, and its outputs stay
// where it wrote them, as long as somebody has them.
class LentMemory : public OutOfProcessTest {
 protected:
  static constexpr int64_t kMiddle = 100001;
  static constexpr int64_t kLarge = (int64_t{20} << 20) + 3;  // floats: 80 MiB, nothing round

  // Element i of x is i modulo 1000 and `more`; y is one.
  Invocation lazy(const OpenedOp& op, int64_t n, float more) {
    Invocation call;
    call.contract = &op.contract;
    call.soc = "Ascend910B1";
    for (const char* name : {"x", "y"})
      call.inputs.push_back({Tensor::reserved(DType::kFloat32, Shape({n}), name).value()});
    call.fill = [this, more](size_t port, size_t, Tensor& blank) {
      filled_.push_back(blank.data());
      std::span<float> to = blank.as<float>();
      for (size_t i = 0; i < to.size(); ++i)
        to[i] = port == 1 ? 1.0f : static_cast<float>(i % 1000) + more;
    };
    return call;
  }
  static void expect(const Execution& execution, float more) {
    const Tensor& z = execution.outputs[0][0];
    int64_t wrong = 0;
    for (int64_t i = 0; i < z.elements(); ++i)
      wrong += z.as<float>()[static_cast<size_t>(i)] !=
               static_cast<float>(static_cast<size_t>(i) % 1000) + more + 1;
    EXPECT_EQ(wrong, 0);
  }

  std::vector<std::byte*> filled_;
};

TEST_F(LentMemory, TensorsStayWhereTheWorkerSeesThem) {
  const OpenedOp op = open(false);
  auto one = op.executor->run(lazy(op, kLarge, 0));
  ASSERT_TRUE(one.ok()) << one.error().to_string();
  ASSERT_EQ(filled_.size(), 2u);
  EXPECT_EQ(one->inputs[0][0].data(), filled_[0]);
  EXPECT_EQ(one->inputs[1][0].data(), filled_[1]);
  // Calls that come meanwhile lie elsewhere, large ones and small ones.
  const auto other = op.executor->run(lazy(op, kLarge, 7));
  ASSERT_TRUE(other.ok()) << other.error().to_string();
  EXPECT_NE(filled_[2], filled_[0]);
  const auto small = op.executor->run(lazy(op, 100, 3));
  ASSERT_TRUE(small.ok()) << small.error().to_string();
  expect(*one, 0);
  expect(*other, 7);
  expect(*small, 3);
  // A copy is a tensor of its own.
  const Tensor copy = one->outputs[0][0];
  EXPECT_NE(copy.data(), one->outputs[0][0].data());
  const std::byte* first = filled_[0];
  one = Error("", "", "");  // gives its memory back
  const auto again = op.executor->run(lazy(op, kLarge, 1));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  expect(*again, 1);
  expect(*other, 7);
  EXPECT_EQ(filled_[filled_.size() - 2], first);  // lies in front of the one that is still kept
}

TEST_F(LentMemory, IsThatOfTheCallBeforeLast) {
  const OpenedOp op = open(false);
  std::set<const std::byte*> places;
  std::optional<Execution> kept;
  for (int i = 0; i < 20; ++i) {
    auto ran = op.executor->run(lazy(op, kMiddle, static_cast<float>(i)));
    ASSERT_TRUE(ran.ok()) << ran.error().to_string();
    if (kept) expect(*kept, static_cast<float>(i - 1));
    kept = std::move(ran).value();
    expect(*kept, static_cast<float>(i));
    places.insert(kept->outputs[0][0].data());
  }
  EXPECT_EQ(places.size(), 2u);
}

TEST_F(LentMemory, InputsThatAreThereAreTakenOver) {
  const OpenedOp op = open(false);
  Invocation call = lazy(op, kLarge, 0);
  fill_inputs(call);
  const std::byte* before = call.inputs[0][0].data();
  const auto ran = op.executor->run(std::move(call));
  ASSERT_TRUE(ran.ok()) << ran.error().to_string();
  expect(*ran, 0);
  EXPECT_NE(ran->inputs[0][0].data(), before);
  EXPECT_EQ(ran->inputs[0][0].as<float>()[1234], 234.0f);
}

TEST_F(LentMemory, AreFilledInThisProcessToo) {
  const OpenedOp op = open(true);
  const auto ran = op.executor->run(lazy(op, 5000, 2));
  ASSERT_TRUE(ran.ok()) << ran.error().to_string();
  expect(*ran, 2);
  EXPECT_EQ(filled_.size(), 2u);
}

// What is kept counts.
TEST_F(LentMemory, TogetherTakeNoMoreThanIsAllowed) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory would count";
#endif
  OpenOptions options;
  options.limits.time = std::chrono::seconds(20);
  options.limits.memory = uint64_t{400} << 20;
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
  ASSERT_TRUE(op.ok());
  {
    const auto one = op->executor->run(lazy(*op, kLarge, 0));
    ASSERT_TRUE(one.ok()) << one.error().to_string();
    const auto refused = op->executor->run(lazy(*op, kLarge, 0));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "OPK-WORKER-009");
  }
  const auto after = op->executor->run(lazy(*op, kLarge, 0));
  EXPECT_TRUE(after.ok()) << after.error().to_string();
}

}  // namespace
}  // namespace opkit::isolation
