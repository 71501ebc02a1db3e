#include "opkit/verify/repeat.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

namespace opkit::verify {
namespace {

using testing::AllOf;
using testing::HasSubstr;

OpContract contract() {
  auto parsed = OpContract::parse(R"(
op: Copy
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N"}}
outputs: {y: {dtype: float32, shape: "N"}}
reference: [{op: Identity, in: [x], out: y}]
)",
                                  "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

// An output of one element, which a function of the call decides.
class Chosen : public Executor {
 public:
  using Value = std::function<double(const Invocation&)>;
  explicit Chosen(Value value) : value_(std::move(value)) {}
  Result<Execution> run(Invocation call) override {
    threads.insert(call.threads);
    schedules.insert(call.schedule_seed);
    Execution execution;
    execution.outputs = {{Tensor(DType::kFloat32, Shape{1}, "y")}};
    execution.outputs[0][0].set(0, value_(call));
    return execution;
  }
  std::string digest() const override { return "chosen"; }

  std::set<unsigned> threads;
  std::set<uint64_t> schedules;

 private:
  Value value_;
};

struct Fixture {
  explicit Fixture(Chosen::Value value) : executor(std::move(value)) {
    call.contract = &op;
    first = std::move(executor.run(call)).value();
  }
  OpContract op = contract();
  Chosen executor;
  Invocation call;
  Execution first;
};

TEST(Repeat, OneBlockIsNotBlamedForAnOrderOfBlocks) {
  Fixture fixture([](const Invocation& call) { return call.threads; });
  fixture.call.threads = 1;
  fixture.first = std::move(fixture.executor.run(fixture.call)).value();
  fixture.first.block_dim = 1;
  const auto one = repeat_with_threads(fixture.executor, fixture.call, fixture.first, 0);
  ASSERT_TRUE(one);
  EXPECT_THAT(one->message, HasSubstr("with one block, the kernel depends on what lay in memory"));
  fixture.first.block_dim = 2;
  const auto two = repeat_with_threads(fixture.executor, fixture.call, fixture.first, 0);
  ASSERT_TRUE(two);
  EXPECT_THAT(two->message, HasSubstr("the order in which blocks run"));
}

TEST(Repeat, SameBitsPass) {
  Fixture f([](const Invocation&) { return 1; });
  for (uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_FALSE(repeat_with_threads(f.executor, f.call, f.first, seed));
    EXPECT_FALSE(repeat_with_schedules(f.executor, f.call, f.first, seed));
  }
  EXPECT_EQ(f.executor.threads, (std::set<unsigned>{1, 2, 3, 4, 7}));
  EXPECT_EQ(f.executor.schedules, (std::set<uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Repeat, NumberOfThreadsIsNamed) {
  Fixture f([](const Invocation& call) { return call.threads; });
  const auto error = repeat_with_threads(f.executor, f.call, f.first, 2);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "OPK-VERIFY-021");
  EXPECT_THAT(error->message, HasSubstr("y has other bits with 3 threads than with 1 thread"));
}

TEST(Repeat, EarlierCallsAreToldFromThreads) {
  int calls = 0;
  Fixture f([&](const Invocation&) { return ++calls % 2; });
  const auto error = repeat_with_threads(f.executor, f.call, f.first, 2);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("depends on earlier calls"));
}

TEST(Repeat, AKernelThatAlternatesDependsOnEarlierCalls) {
  int calls = 0;
  Fixture f([&](const Invocation&) { return ++calls % 2; });
  const auto error = repeat_alike(f.executor, f.call, f.first);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "OPK-VERIFY-021");
  EXPECT_THAT(error->message, HasSubstr("with the same 1 thread, too: the kernel depends on "
                                        "earlier calls"));
  Fixture same([](const Invocation& call) { return call.threads; });
  EXPECT_FALSE(repeat_alike(same.executor, same.call, same.first));
}

TEST(Repeat, ScheduleSeedIsNamed) {
  Fixture f([](const Invocation& call) { return call.schedule_seed == 9; });
  const auto error = repeat_with_schedules(f.executor, f.call, f.first, 7);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "OPK-VERIFY-021");
  EXPECT_THAT(error->message, AllOf(HasSubstr("schedule seed 9"), HasSubstr("by chance")));
  EXPECT_FALSE(repeat_with_schedules(f.executor, f.call, f.first, 8));
}

TEST(Repeat, AsManySchedulesAsAreAskedFor) {
  Fixture f([](const Invocation& call) { return call.schedule_seed == 12; });
  EXPECT_FALSE(repeat_with_schedules(f.executor, f.call, f.first, 7, 4));
  EXPECT_EQ(f.executor.schedules, (std::set<uint64_t>{0, 1, 9, 10, 11}));
  const auto error = repeat_with_schedules(f.executor, f.call, f.first, 7, 5);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("schedule seed 12"));
  Fixture none([](const Invocation& call) { return call.schedule_seed > 0; });
  EXPECT_FALSE(repeat_with_schedules(none.executor, none.call, none.first, 7, 0));
}

TEST(Repeat, NanBitsCount) {
  Execution a, b;
  a.outputs = b.outputs = {{Tensor(DType::kFloat32, Shape{2}, "y")}};
  EXPECT_EQ(differing_output(contract(), a, b), "");
  b.outputs[0][0].set(1, -0.0);
  EXPECT_EQ(differing_output(contract(), a, b), "y");
}

}  // namespace
}  // namespace opkit::verify
