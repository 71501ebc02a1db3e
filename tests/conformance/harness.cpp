#include "tests/conformance/harness.h"

#include <cstdlib>
#include <map>

#include "opkit/core/state/core.h"
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
  PipeBarrier<PIPE_ALL>();
  kernel_result = 0;
  current_body();
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, ub, kImage);
  static_cast<uint64_t*>(args[2])[GetBlockIdx()] = kernel_result;
}

opkit::core::LaunchReport launch(opkit::core::Machine& machine, uint32_t blocks, bool keep,
                                 std::vector<void*> args,
                                 opkit::core::Observer* observer = nullptr) {
  opk_kernel_v1 description{};
  description.struct_size = sizeof description;
  description.task_type = OPK_TASK_AIV_ONLY;
  description.aiv = kernel;
  opkit::core::LaunchRequest request;
  request.kernel = &description;
  request.block_dim = blocks;
  request.args = args.data();
  request.keep_inf_nan = keep;
  request.observer = observer;
  return opkit::core::test::launch_observed(machine, request);
}

opkit::core::Machine& machine_with(unsigned threads) {
  static const opk_soc_v1 soc = opkit::core::test::soc_910b();
  static opkit::core::Machine one(soc, 1), two(soc, 2);
  return threads == 1 ? one : two;
}

// Kept: a test takes the same ones thousands of times.
const std::vector<uint8_t>& random_bytes(uint32_t seed) {
  static std::map<uint32_t, std::vector<uint8_t>> all;
  std::vector<uint8_t>& bytes = all[seed];
  if (!bytes.empty()) return bytes;
  std::mt19937 random(seed);
  bytes.resize(kImage);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// Notes for every byte of the image what the instructions said they do with it.
class Recorder : public opkit::core::Observer {
 public:
  enum : uint8_t { kRead = 1, kWritten = 2, kPerhaps = 4 };

  bool admit(opkit::core::Core& core, const opkit::core::Footprint& footprint) override {
    if (footprint.kind == opkit::core::InstructionKind::kCopy) return true;  // the harness's own
    for (uint32_t i = 0; i < footprint.access_count; ++i)
      note(core.memory[OPK_MEM_UB], footprint.access[i]);
    return true;
  }
  uint8_t of(uint32_t byte) const { return notes_[byte]; }

 private:
  void note(const uint8_t* base, const opkit::core::Access& a) {
    const uint8_t what = a.write ? (a.partial ? kWritten | kPerhaps : kWritten) : kRead;
    for (uint32_t r = 0; r < a.repeats; ++r) {
      for (uint32_t b = 0; b < a.blocks; ++b) {
        const auto first = static_cast<uint64_t>(a.address - base) +
                           r * static_cast<uint64_t>(a.repeat_pitch) +
                           b * static_cast<uint64_t>(a.block_pitch);
        for (uint64_t i = first; i < first + a.block_bytes && i < kImage; ++i) notes_[i] |= what;
      }
    }
  }
  std::vector<uint8_t> notes_ = std::vector<uint8_t>(kImage);
};

// What instructions tell observers is exact: with every byte changed that they do not claim to read
// (or perhaps leave alone), they write the same bytes, and nothing else.
void check_footprint(const Image& before, const Image& after, bool keep) {
  opkit::core::Machine& machine = machine_with(1);
  Recorder recorder;
  Image in = before, out;
  uint64_t result = 0;
  ASSERT_TRUE(launch(machine, 1, keep, {in.data(), out.data(), &result}, &recorder).ok());
  ASSERT_EQ(std::memcmp(out.data(), after.data(), kImage), 0) << "an observer changes the result";
  const Image noise(987);
  for (uint32_t i = 0; i < kImage; ++i) {
    if (!(recorder.of(i) & (Recorder::kRead | Recorder::kPerhaps))) in.data()[i] = noise.data()[i];
  }
  const Image changed = in;
  ASSERT_TRUE(launch(machine, 1, keep, {in.data(), out.data(), &result}).ok());
  for (uint32_t i = 0; i < kImage; ++i) {
    const bool written = recorder.of(i) & Recorder::kWritten;
    ASSERT_EQ(out.data()[i], (written ? after : changed).data()[i])
        << "byte " << i << " is " << (written ? "" : "not ") << "declared as written";
  }
}

}  // namespace

Image::Image(uint32_t seed) : bytes_(random_bytes(seed)) {}

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
  // What instructions tell is the same under every schedule.
  static const bool scheduled = std::getenv("OPKIT_TEST_SEED") != nullptr;
  if (!scheduled) check_footprint(before, outcome.image, options.keep_inf_nan);
  return outcome;
}

opkit::core::Faults faults_of(const std::function<void()>& body) {
  current_body = body;
  Image in, out;
  uint64_t result = 0;
  opkit::core::test::Strict strict;
  return launch(machine_with(1), 1, true, {in.data(), out.data(), &result}, &strict).faults;
}

}  // namespace conformance
