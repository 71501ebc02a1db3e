// Launches a kernel of a test again and again, on other data and in other places each time, beside
// a machine on which the kernel always runs.
#ifndef OPKIT_TESTS_UNIT_CORE_REPLAY_REPLAYED_H_
#define OPKIT_TESTS_UNIT_CORE_REPLAY_REPLAYED_H_

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "opkit/core/replay/replay.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {

struct ReplayedSetup {
  uint32_t blocks = 4;
  unsigned threads = 1;
  int32_t task_type = OPK_TASK_AIV_ONLY;
  uint32_t launches = 6;
  bool in_place = false;  // the output lies where the first input lies
  bool compares = false;  // OPKIT_REPLAY=compare
  LoopHost host = loop_host();
  bool split = true;  // cube and vector cores are two
  std::vector<uint8_t> tiling = std::vector<uint8_t>(64, 0);
};

struct Replayed {
  bool same = true;  // all bytes, in every launch
  bool ok = true;
  std::string printed;
  Faults faults;  // come from the machine that replays
  ReplayReport report;
};

// The arguments of the kernels: x, y, z of `floats` floats each, and tiling bytes.
class ReplayedLaunches {
 public:
  ReplayedLaunches(opk_kernel_fn entry, const ReplayedSetup& setup, uint32_t floats = 8192)
      : setup_(setup),
        floats_(floats),
        soc_(soc_of(setup)),
        kernels_machine_(soc_, 1),
        machine_(soc_, setup.threads),
        replay_(setup.compares, setup.host) {
    kernel_.struct_size = sizeof kernel_;
    kernel_.task_type = setup.task_type;
    kernel_.aiv = kernel_.aic = kernel_.mix = entry;
    kernel_.arg_count = 4;
  }

  // The tiling bytes of the launches from now on.
  std::vector<uint8_t>& tiling() { return setup_.tiling; }

  void launch(uint32_t seed, bool move = true) {
    Memory kernels(*this, seed, 0), own(*this, seed, move ? 16 * (seed % 5) : 0);
    kernels.take(setup_.in_place);
    own.take(setup_.in_place);
    const LaunchReport expected = kernels_machine_.launch(kernels.request);
    own.request.replay = &replay_;
    const LaunchReport seen = machine_.launch(own.request);
    result_.ok = result_.ok && expected.ok() == seen.ok();
    result_.same = result_.same && seen.printed == expected.printed && own.equals(kernels);
    result_.printed += seen.printed;
    result_.faults.insert(result_.faults.end(), seen.faults.begin(), seen.faults.end());
  }

  Replayed run() {
    for (uint32_t i = 0; i < setup_.launches; ++i) launch(i + 1);
    return result();
  }
  Replayed result() {
    result_.report = replay_.report();
    return result_;
  }

 private:
  static opk_soc_v1 soc_of(const ReplayedSetup& setup) {
    opk_soc_v1 soc = soc_910b();
    soc.split = setup.split;
    return soc;
  }
  // What one launch works on, from `shift` floats behind the beginning of its memory on.
  struct Memory {
    Memory(const ReplayedLaunches& owner, uint32_t seed, uint32_t shift)
        : floats(owner.floats_), tiling(owner.setup_.tiling) {
      std::mt19937 random(seed);
      for (auto& tensor : tensors) {
        tensor.resize(floats + 128);
        begin.push_back(tensor.data() + shift);
        for (uint32_t i = 0; i < floats; ++i)
          begin.back()[i] =
              static_cast<float>(static_cast<int32_t>(random() % 2001) - 1000) / 64.0f;
      }
      // Values that operations tell apart.
      const float odd[] = {0.0f, -0.0f, 1e-40f, std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN()};
      for (uint32_t i = 0; i < 5; ++i) begin[0][seed * 37 % 512 + 7 * i] = odd[i];
      request.kernel = &owner.kernel_;
      request.block_dim = owner.setup_.blocks;
    }
    void take(bool in_place) {
      if (in_place) begin[2] = begin[0];
      for (uint32_t i = 0; i < 3; ++i) {
        args.push_back(begin[i]);
        GmRange range;
        range.base = reinterpret_cast<uint8_t*>(begin[i]);
        range.bytes = floats * sizeof(float);
        range.name = "t";
        range.writable = i == 2 || (i == 0 && in_place);
        gm.push_back(range);
      }
      args.push_back(tiling.data());
      GmRange range;
      range.base = tiling.data();
      range.bytes = tiling.size();
      range.name = "tiling";
      range.writable = false;
      gm.push_back(range);
      request.args = args.data();
      request.gm = gm.data();
      request.gm_count = static_cast<uint32_t>(gm.size());
    }
    bool equals(const Memory& other) const {
      for (uint32_t i = 0; i < 3; ++i) {
        if (std::memcmp(begin[i], other.begin[i], floats * sizeof(float)) != 0) return false;
      }
      return true;
    }

    uint32_t floats;
    std::vector<uint8_t> tiling;
    std::array<std::vector<float>, 3> tensors;
    std::vector<float*> begin;
    std::vector<void*> args;
    std::vector<GmRange> gm;
    LaunchRequest request;
  };

  ReplayedSetup setup_;
  uint32_t floats_;
  opk_soc_v1 soc_;
  Machine kernels_machine_, machine_;
  opk_kernel_v1 kernel_{};
  LaunchReplay replay_;
  Replayed result_;
};

template <KernelBody body>
Replayed replayed(const ReplayedSetup& setup = {}) {
  return ReplayedLaunches(entry<body>, setup).run();
}

}  // namespace opkit::core::test

#endif  // OPKIT_TESTS_UNIT_CORE_REPLAY_REPLAYED_H_
