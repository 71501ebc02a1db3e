// The law of orders: where Checked has no error, no schedule changes a bit or ends a launch. Held
// up by random kernels of one vector core, with flags and barriers in some of the places that need
// them.
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/reorder.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kLane = 64, kPlaces = 4, kRows = 4;  // elements of a place; places in UB; in GM
constexpr uint64_t kSchedules = 5;

enum class Step {
  kLoad,
  kStore,
  kSpill,
  kAddUp,
  kFill,
  kAdd,
  kScalarToTile,
  kTileToScalar,
  kInputToScalar,
  kSpilledToScalar,
  kGather,
  kFlag,
  kBarrier,
  kSteps
};

// Numbers of places, rows and flags; what a step does not need is not looked at.
struct Line {
  Step step = Step::kLoad;
  uint32_t to = 0, from = 0, other = 0;
};

std::string text_of(const std::vector<Line>& lines) {
  static constexpr const char* kNames[] = {"load",   "store", "spill",  "add up", "fill",
                                           "add",    "set",   "get",    "input",  "spilled",
                                           "gather", "flag",  "barrier"};
  std::string text;
  for (const Line& line : lines)
    text += std::string(kNames[static_cast<size_t>(line.step)]) + " " + std::to_string(line.to) +
            " " + std::to_string(line.from) + " " + std::to_string(line.other) + "; ";
  return text;
}

LocalTensor<float> place(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * kLane * 4, kLane);
}

template <HardEvent event>
void both_ends() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

constexpr uint32_t kFlags = 12;
void flag(uint32_t which) {
  switch (which % kFlags) {
    case 0: return both_ends<HardEvent::MTE2_V>();
    case 1: return both_ends<HardEvent::V_MTE2>();
    case 2: return both_ends<HardEvent::V_MTE3>();
    case 3: return both_ends<HardEvent::MTE3_V>();
    case 4: return both_ends<HardEvent::MTE2_MTE3>();
    case 5: return both_ends<HardEvent::MTE3_MTE2>();
    case 6: return both_ends<HardEvent::V_S>();
    case 7: return both_ends<HardEvent::S_V>();
    case 8: return both_ends<HardEvent::MTE2_S>();
    case 9: return both_ends<HardEvent::S_MTE2>();
    case 10: return both_ends<HardEvent::S_MTE3>();
    default: return both_ends<HardEvent::MTE3_S>();
  }
}

void barrier(uint32_t which) {
  switch (which % 4) {
    case 0: return PipeBarrier<PIPE_V>();
    case 1: return PipeBarrier<PIPE_MTE2>();
    case 2: return PipeBarrier<PIPE_MTE3>();
    default: return PipeBarrier<PIPE_ALL>();
  }
}

const std::vector<Line>* running = nullptr;

// x is read, z takes results, w is a workspace; offsets of Gather lie behind the places.
struct Kernel {
  GlobalTensor<float> x, z, w;
  LocalTensor<uint32_t> offsets{TPosition::VECCALC, kPlaces* kLane * 4, kLane};
  float scalar = 1;

  explicit Kernel(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kRows * kLane);
    z.SetGlobalBuffer(static_cast<float*>(args[1]), kRows * kLane);
    w.SetGlobalBuffer(static_cast<float*>(args[2]), kRows * kLane);
  }

  void gather(const Line& line) {
    for (uint32_t i = 0; i < kLane; ++i) offsets.SetValue(i, (i * (line.other + 1)) % kLane * 4);
    if (line.other % 2 == 0) both_ends<HardEvent::S_V>();
    Gather(place(line.to), place(line.from), offsets, 0u, kLane);
  }

  void run(const Line& line) {
    switch (line.step) {
      case Step::kLoad:
        return DataCopy(place(line.to),
                        line.other % 3 == 0 ? w[line.from * kLane] : x[line.from * kLane], kLane);
      case Step::kStore: return DataCopy(z[line.to * kLane], place(line.from), kLane);
      case Step::kSpill: return DataCopy(w[line.to * kLane], place(line.from), kLane);
      case Step::kAddUp:
        SetAtomicAdd<float>();
        DataCopy(z[line.to * kLane], place(line.from), kLane);
        return SetAtomicNone();
      case Step::kFill: return Duplicate(place(line.to), scalar, static_cast<int32_t>(kLane));
      case Step::kAdd:
        return Add(place(line.to), place(line.from), place(line.other),
                   static_cast<int32_t>(kLane));
      case Step::kScalarToTile: return place(line.to).SetValue(line.other, scalar);
      case Step::kTileToScalar: return void(scalar = place(line.from).GetValue(line.other));
      case Step::kInputToScalar: return void(scalar = x.GetValue(line.from * kLane + line.other));
      case Step::kSpilledToScalar: return void(scalar = w.GetValue(line.from * kLane + line.other));
      case Step::kGather: return gather(line);
      case Step::kFlag: return flag(line.other);
      default: return barrier(line.other);
    }
  }
};

void body(void* const* args) {
  Kernel kernel(args);
  for (const Line& line : *running) kernel.run(line);
}

struct Seen {
  bool ok = false;
  std::vector<uint8_t> bytes;
};

Seen run_lines(const std::vector<Line>& lines, uint64_t seed, Observer* observer) {
  running = &lines;
  const opk_soc_v1 soc = soc_910b();
  Machine machine(soc, 1);
  std::vector<float> x(kRows * kLane), w(kRows * kLane, 0.5f);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  std::vector<float> z(kRows * kLane, -1.0f);
  void* args[] = {x.data(), z.data(), w.data()};
  const auto range = [](std::vector<float>& v, bool writable, const char* name) {
    return GmRange{reinterpret_cast<uint8_t*>(v.data()), v.size() * 4, name, writable, true};
  };
  const GmRange gm[] = {range(x, false, "x"), range(z, true, "z"), range(w, true, "w")};
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = entry<body>;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = 1;
  request.args = args;
  request.gm = gm;
  request.gm_count = 3;
  request.observer = observer;
  request.schedule_seed = seed;
  Seen seen;
  seen.ok = machine.launch(request).ok();
  for (const auto* v : {&z, &w}) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(v->data());
    seen.bytes.insert(seen.bytes.end(), bytes, bytes + v->size() * 4);
  }
  return seen;
}

// Draws what a step's bytes need in front of it, most of the time.
std::vector<Line> random_lines(std::mt19937& random) {
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t care = below(4);  // says how many of four barriers are there
  std::vector<Line> lines;
  for (uint32_t p = 0; p < kPlaces; ++p) lines.push_back({Step::kFill, p, 0, 0});
  const uint32_t steps = 3 + below(8);
  for (uint32_t i = 0; i < steps; ++i) {
    const auto step = static_cast<Step>(below(static_cast<uint32_t>(Step::kSteps)));
    if (below(4) <= care) lines.push_back({Step::kBarrier, 0, 0, 3});
    if (below(3) == 0) lines.push_back({Step::kFlag, 0, 0, below(kFlags)});
    const bool of_lanes = step == Step::kScalarToTile || step == Step::kTileToScalar ||
                          step == Step::kInputToScalar || step == Step::kSpilledToScalar;
    const uint32_t others = of_lanes ? kLane : step == Step::kFlag ? kFlags : kPlaces;
    lines.push_back({step, below(kPlaces), below(kPlaces), below(others)});
  }
  lines.push_back({Step::kBarrier, 0, 0, 3});
  lines.push_back({Step::kStore, 0, below(kPlaces), 0});
  return lines;
}

bool is_clean(const std::vector<Line>& lines) {
  Checked checked;
  static_cast<void>(run_lines(lines, 0, &checked));
  return checked.take_report({}).errors() == 0;
}

// The first schedule that changes a bit or ends the launch; 0: none does.
uint64_t telling_seed(const std::vector<Line>& lines) {
  const Seen usual = run_lines(lines, 0, nullptr);
  for (uint64_t seed = 1; seed <= kSchedules; ++seed) {
    const Seen other = run_lines(lines, seed, nullptr);
    if (!other.ok || other.bytes != usual.bytes) return seed;
  }
  return 0;
}

// Without the lines that a breach of the law does not need.
std::vector<Line> smallest(std::vector<Line> lines) {
  for (size_t i = 0; i < lines.size();) {
    std::vector<Line> fewer = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_clean(fewer) && telling_seed(fewer) != 0) {
      lines = std::move(fewer);
      i = 0;
    } else {
      ++i;
    }
  }
  return lines;
}

TEST(OrderLaw, WhatCheckedDoesNotBlameKeepsItsBits) {
  std::mt19937 random(20261130);
  int clean = 0, refused = 0, differing = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::vector<Line> lines = random_lines(random);
    const bool is_right = is_clean(lines);
    const uint64_t seed = telling_seed(lines);
    ++(is_right ? clean : refused);
    differing += seed != 0 ? 1 : 0;
    ASSERT_FALSE(is_right && seed != 0)
        << "kernel " << i << ", seed " << seed << ": " << text_of(smallest(lines));
  }
  // Both kinds must be there in numbers, or this proves nothing.
  EXPECT_GT(clean, 200);
  EXPECT_GT(refused, 200);
  EXPECT_GT(differing, 50);
}

}  // namespace
}  // namespace opkit::core::test
