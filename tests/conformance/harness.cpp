#include "tests/conformance/harness.h"

#include "tests/unit/core/kernel_run.h"

namespace conformance {
namespace {

using namespace AscendC;

std::function<void()> current_body;

// args: image in, images out, results out.
void kernel(opk_core* core, void* const* args) {
  detail::current = core;
  LocalTensor<uint8_t> ub(TPosition::VECCALC, 0, kImage);
  GlobalTensor<uint8_t> in, out;
  in.SetGlobalBuffer(static_cast<uint8_t*>(args[0]));
  out.SetGlobalBuffer(static_cast<uint8_t*>(args[1]) + GetBlockIdx() * kImage);
  DataCopy(ub, in, kImage);
  kernel_result = 0;
  current_body();
  DataCopy(out, ub, kImage);
  static_cast<uint64_t*>(args[2])[GetBlockIdx()] = kernel_result;
}

opkit::core::LaunchReport launch(opkit::core::Machine& machine, uint32_t blocks, bool keep,
                                 std::vector<void*> args) {
  opk_kernel_v1 description{};
  description.struct_size = sizeof description;
  description.task_type = OPK_TASK_AIV_ONLY;
  description.aiv = kernel;
  opkit::core::LaunchRequest request;
  request.kernel = &description;
  request.block_dim = blocks;
  request.args = args.data();
  request.keep_inf_nan = keep;
  return machine.launch(request);
}

opkit::core::Machine& machine_with(unsigned threads) {
  static const opk_soc_v1 soc = opkit::core::test::soc_910b();
  static opkit::core::Machine one(soc, 1), two(soc, 2);
  return threads == 1 ? one : two;
}

}  // namespace

Image::Image(uint32_t seed) : bytes_(kImage) {
  std::mt19937 random(seed);
  for (uint8_t& byte : bytes_) byte = static_cast<uint8_t>(random());
}

Outcome run(const Image& before, const std::function<void()>& body, const Options& options) {
  current_body = body;
  Image in = before;
  Outcome outcome;
  std::vector<uint8_t> outs(2 * kImage);
  uint64_t results[2] = {};
  auto report =
      launch(machine_with(1), 1, options.keep_inf_nan, {in.data(), outcome.image.data(), results});
  outcome.result = results[0];
  outcome.faults = report.faults;
  EXPECT_TRUE(report.ok()) << report.faults[0].code << " " << report.faults[0].message;
  const auto both =
      launch(machine_with(2), 2, options.keep_inf_nan, {in.data(), outs.data(), results});
  EXPECT_EQ(both.faults.size(), report.faults.size() * 2);
  for (int block = 0; block < 2; ++block) {
    EXPECT_EQ(std::memcmp(outs.data() + block * kImage, outcome.image.data(), kImage), 0)
        << "two threads give other bytes";
    EXPECT_EQ(results[block], outcome.result);
  }
  return outcome;
}

opkit::core::Faults faults_of(const std::function<void()>& body) {
  current_body = body;
  Image in, out;
  uint64_t result = 0;
  return launch(machine_with(1), 1, true, {in.data(), out.data(), &result}).faults;
}

}  // namespace conformance
