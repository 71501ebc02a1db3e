// Which bytes of UB a block knows. What it has not written is what an earlier block left there, or
// another launch: nobody can say what it is, and it must not get into GM.
#include <algorithm>
#include <cstring>

#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

class KnownBytes {
 public:
  explicit KnownBytes(uint32_t ub_bytes) : known_(ub_bytes, 0) {}

  // False: bytes that are not known get into GM.
  bool follow(const ProgramStep& step, const BlockSteps& recording) {
    if (step.is_meeting()) return true;
    if (step.is_of_cube()) return follow_cube(step, recording);
    if (step.is_kept()) return follow_issued(step, recording), true;
    const StepTouch all = touched(step);
    const Runs& to = all.runs[all.count - 1];
    if (std::all_of(all.begin(), all.end() - 1, [&](const Runs& r) { return knows(r); }))
      return set(to, 1), true;
    if (to.from.in != BytePlace::In::kUb) return false;
    if (step.is_rows() && step.fold_row == 0) {
      follow_elements(step, all);
    } else {
      set(to, 0);
    }
    return true;
  }

 private:
  uint8_t* at(const BytePlace& place) { return known_.data() + place.at; }
  static bool all_known(const uint8_t* from, uint64_t bytes) {
    return std::memchr(from, 0, bytes) == nullptr;
  }

  bool knows(const Runs& runs) {
    if (runs.from.in != BytePlace::In::kUb) return true;
    for (uint32_t r = 0; r < runs.rows; ++r) {
      if (!all_known(at(runs.from) + r * runs.pitch, runs.bytes)) return false;
    }
    return true;
  }
  void set(const Runs& runs, uint8_t known) {
    if (runs.from.in != BytePlace::In::kUb) return;
    for (uint32_t r = 0; r < runs.rows; ++r)
      std::memset(at(runs.from) + r * runs.pitch, known, runs.bytes);
  }
  bool knows_element(const Runs& runs, uint32_t row, uint64_t element, uint32_t size) {
    if (runs.from.in != BytePlace::In::kUb) return true;
    return all_known(at(runs.from) + row * runs.pitch + element * size, size);
  }

  // An element of the result is known where those of the sources are.
  void follow_elements(const ProgramStep& s, const StepTouch& all) {
    const Runs& to = all.runs[all.count - 1];
    for (uint32_t r = 0; r < to.rows; ++r) {
      for (uint64_t e = 0; e < s.n; ++e) {
        bool known = true;
        for (uint32_t i = 0; i + 1 < all.count; ++i) known = known && knows_source(s, all, i, r, e);
        std::memset(at(to.from) + r * to.pitch + e * s.to_bytes, known ? 1 : 0, s.to_bytes);
      }
    }
  }
  bool knows_source(const ProgramStep& s, const StepTouch& all, uint32_t i, uint32_t r,
                    uint64_t e) {
    const Runs& from = all.runs[i];
    if (i >= s.sources) return knows_element(from, r, e, s.to_bytes);
    if (i == 0) return knows_element(from, r, e, s.src_bytes);
    if (s.folded) return knows_element(from, r, 0, static_cast<uint32_t>(from.bytes));
    return knows_element(from, r, e, s.src_bytes);
  }

  void follow_issued(const ProgramStep& step, const BlockSteps& recording) {
    const std::vector<Runs>& exact = recording.exact[step.number];
    const bool reads_exactly = std::any_of(exact.begin(), exact.end(), is_read);
    bool all = std::all_of(exact.begin(), exact.end(),
                           [&](const Runs& runs) { return !is_read(runs) || knows(runs); });
    for (const ByteSpan& span : recording.issued[step.number].spans) {
      const Runs runs = {span.from, span.bytes};
      if (!span.write) {
        all = all && (reads_exactly || knows(runs));
      } else if (!all) {
        set(runs, 0);
      } else if (span.whole) {
        set(runs, 1);
      }
    }
    for (const Runs& runs : exact) {
      if (all && runs.write && runs.all) set(runs, 1);
    }
  }
  static bool is_read(const Runs& runs) { return !runs.write; }

  // What the cube unit reads gets into its memories, and so perhaps into GM.
  bool follow_cube(const ProgramStep& step, const BlockSteps& recording) {
    bool all = true;
    for_each_touch(step, recording, [&](const Runs& runs) {
      if (!runs.write) all = all && knows(runs);
    });
    for_each_touch(step, recording, [&](const Runs& runs) {
      if (runs.write && runs.all) set(runs, 1);
    });
    return all;
  }

  std::vector<uint8_t> known_;
};

}  // namespace

bool leaks_leftovers(const BlockSteps& recording, uint32_t ub_bytes) {
  KnownBytes knowledge(ub_bytes);
  for (const ProgramStep& step : recording.steps) {
    if (!knowledge.follow(step, recording)) return true;
  }
  return false;
}

}  // namespace opkit::core
