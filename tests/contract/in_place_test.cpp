// Every installed op whose call is proved to work in place gives the same bits there as with
// memory of its own, in Fast mode: with the packages that `make ops` installed.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/call/plan/workspace.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/problem_inputs.h"
#include "tests/installed_opp.h"

namespace opkit::verify {
namespace {

constexpr size_t kProblems = 8;              // limits the problems of an op
constexpr int64_t kMostElements = 2000000;   // limits a call's tensors
constexpr size_t kLeastProved[] = {80, 70};  // ops with a call that works in place, per chip

std::vector<std::vector<void*>> addresses(const std::vector<PortTensors>& ports) {
  std::vector<std::vector<void*>> all;
  for (const PortTensors& port : ports) {
    all.emplace_back();
    for (const Tensor& tensor : port) all.back().push_back(const_cast<std::byte*>(tensor.data()));
  }
  return all;
}

class InPlaceOps : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(opp_path() / "vendors/config.ini"))
      GTEST_SKIP() << "no packages: run `make ops` first";
    registry_.emplace(registry::Registry::open(opp_path()));
    ops_.emplace(InstalledOps::open(*registry_, GetParam()));
    runner_.emplace(*find_soc(GetParam()).value().spec, 1);
  }

  // Returns how many pairs of the problem's call were proved.
  size_t judge(const OpContract& contract, Executor& executor, const Problem& problem) {
    if (!not_on_chip(contract, problem).empty()) return 0;
    const auto elements = stored_elements(contract, problem);
    if (!elements || *elements > kMostElements) return 0;
    const auto facts = make_facts(contract, problem);
    const auto plan = facts.ok() ? executor.plan(contract, problem.soc, facts->facts)
                                 : Result<SharedPlan>(facts.error());
    if (!plan.ok()) return 0;
    size_t proved = 0;
    for (size_t o = 0; o < contract.outputs.size(); ++o) {
      for (size_t p = 0; p < contract.inputs.size(); ++p) {
        const auto takes = executor.takes_in_place(*plan, {o, p});
        EXPECT_TRUE(takes.ok()) << takes.error().to_string();
        if (!takes.ok() || !*takes) continue;
        ++proved;
        compare(contract, problem, *plan, {o, p});
      }
    }
    return proved;
  }

  void compare(const OpContract& contract, const Problem& problem, const SharedPlan& plan,
               const InPlace& pair) {
    SCOPED_TRACE(to_line(contract, problem) + ", '" + contract.outputs[pair.output].name +
                 "' where '" + contract.inputs[pair.input].name + "' lies");
    const auto inputs = make_inputs(contract, problem);
    ASSERT_TRUE(inputs.ok()) << inputs.error().to_string();
    auto apart = runner_->bind_memory(plan, *inputs),
         together = runner_->bind_memory(plan, *inputs);
    ASSERT_TRUE(apart.ok() && together.ok());
    apart->poison();
    together->poison();
    ASSERT_TRUE(apart->launch().ok());
    const auto workspace = Workspace::make(plan->tiling.workspace_bytes());
    ASSERT_TRUE(workspace.ok());
    CallAddresses at{.inputs = addresses(together->inputs()),
                     .outputs = addresses(together->outputs()),
                     .workspace = workspace->data()};
    at.outputs[pair.output] = at.inputs[pair.input];
    auto call = PlacedCall::place(plan, at);
    ASSERT_TRUE(call.ok()) << call.error().to_string();
    ASSERT_TRUE(call->launch(runner_->machine()).ok());
    for (size_t o = 0; o < at.outputs.size(); ++o) {
      for (size_t t = 0; t < at.outputs[o].size(); ++t) {
        const Tensor& expected = apart->outputs()[o][t];
        EXPECT_EQ(std::memcmp(at.outputs[o][t], expected.data(), expected.size_bytes()), 0)
            << contract.outputs[o].name;
      }
    }
  }

  std::optional<registry::Registry> registry_;
  std::optional<InstalledOps> ops_;
  std::optional<OpRunner> runner_;
};

TEST_P(InPlaceOps, GiveTheSameBits) {
  std::map<std::string, size_t> proved;
  for (const auto& op : ops_->all()) {
    const auto executor = op->executor();
    ASSERT_TRUE(executor.ok()) << executor.error().to_string();
    const auto plan = make_plan({&op->contract(), {GetParam()}, Tier::kSmoke, 1, {}, 0});
    for (size_t i = 0; i < std::min(plan.size(), kProblems); ++i) {
      const size_t pairs = judge(op->contract(), **executor, plan[i].problem);
      if (pairs > 0) proved[op->contract().op] += pairs;
    }
  }
  for (const auto& [op, pairs] : proved) std::printf("%s %zu\n", op.c_str(), pairs);
  std::printf("%zu of %zu ops have calls that work in place\n", proved.size(), ops_->all().size());
  EXPECT_GE(proved.size(), kLeastProved[GetParam() == "Ascend310B1"]);
}

INSTANTIATE_TEST_SUITE_P(Chips, InPlaceOps, testing::Values("Ascend910B1", "Ascend310B1"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace opkit::verify
