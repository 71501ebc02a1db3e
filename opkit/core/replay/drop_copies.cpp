// Copies between UB and GM that steps can do without: they read GM where the bytes came from, and
// write it where they go to.
#include <algorithm>

#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

// Steps that are looked at for the readers of one copy.
constexpr size_t kCopyHorizon = 512;

constexpr size_t kNoStep = ~size_t{0};

bool is_run_out(const ProgramStep& s) {
  return s.kind == Kind::kCopy && s.rows == 1 && s.a.in == BytePlace::In::kUb &&
         s.to.in == BytePlace::In::kGm;
}

// Rows into UB, where they follow each other.
bool is_rows_in(const ProgramStep& s) {
  return s.kind == Kind::kCopy && s.rows > 1 && s.a.in == BytePlace::In::kGm &&
         s.to.in == BytePlace::In::kUb && s.to_pitch == static_cast<int64_t>(s.n) &&
         s.a_pitch <= UINT32_MAX;
}

// The run into UB may fill its last block up.
bool is_run_in(const ProgramStep& s) {
  const bool fills = s.kind == Kind::kPad && s.rows == 1 && s.pad_left == 0;
  return (s.kind == Kind::kCopy || fills) && s.rows == 1 && s.a.in == BytePlace::In::kGm &&
         s.to.in == BytePlace::In::kUb;
}

// Bytes of UB that also lie in GM, and behind them filler up to `filled`.
struct Twin {
  BytePlace ub, gm;
  uint64_t bytes = 0, filled = 0;

  BytePlace moved(const BytePlace& place) const { return gm.plus(place.at - ub.at); }
};

class Dropping {
 public:
  explicit Dropping(BlockSteps& recording)
      : recording_(recording), steps_(recording.steps), gone_(recording.steps.size()) {}

  void run() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (is_run_in(steps_[i])) {
        drop_in(i);
      } else if (is_rows_in(steps_[i])) {
        drop_rows_in(i);
      }
    }
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!gone_[i] && is_run_out(steps_[i])) drop_out(i);
    }
    size_t kept = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (gone_[i]) continue;
      const ProgramStep copy = steps_[i];
      steps_[kept++] = copy;
    }
    steps_.resize(kept);
  }

 private:
  void drop_in(size_t copy) {
    const ProgramStep& c = steps_[copy];
    const Twin twin = {c.to, c.a, c.n, c.n + (c.kind == Kind::kPad ? c.pad_right : 0)};
    begin();
    if (!reads_all(copy + 1, twin)) return;
    move_readers(twin);
    gone_[copy] = true;
  }

  // Readers that take all rows as their second source read them where they lie in GM, perhaps all
  // at one place.
  void drop_rows_in(size_t copy) {
    const ProgramStep c = steps_[copy];
    const uint64_t bytes = c.n * c.rows;
    readers_.clear();
    if (!reads_rows(copy, bytes)) return;
    for (const size_t i : readers_) {
      ProgramStep& s = steps_[i];
      s.b = c.a;
      s.fold_row = static_cast<uint32_t>(c.n / s.src_bytes);
      s.fold_pitch = static_cast<uint32_t>(c.a_pitch);
    }
    gone_[copy] = true;
  }

  bool reads_rows(size_t copy, uint64_t bytes) {
    const ProgramStep& c = steps_[copy];
    const Runs in_gm = touched(c).runs[0];
    bool met = false;  // other cores, which may change GM
    const size_t end = std::min(steps_.size(), copy + 1 + kCopyHorizon);
    for (size_t i = copy + 1; i < end; ++i) {
      if (gone_[i]) continue;
      if (steps_[i].is_meeting()) met = true;
      bool reads = false, over = false, well = true;
      for_each_span(steps_[i], recording_, [&](const ByteSpan& span) {
        if (span.write && in_gm.span().meets(span.from, span.bytes)) well = false;
        if (!span.meets(c.to, bytes)) return;
        if (!span.write) {
          reads = true;
        } else {
          over = span.covers(c.to, bytes);
          well = well && over;
        }
      });
      if (reads && (met || !takes_rows(steps_[i], c, bytes))) return false;
      if (reads) readers_.push_back(i);
      if (!well) return false;
      if (over) return true;
    }
    return end == steps_.size();
  }

  static bool takes_rows(const ProgramStep& s, const ProgramStep& c, uint64_t bytes) {
    if (s.kind != Kind::kRows || s.sources != 2 || s.fold_row != 0 || !(s.b == c.to)) return false;
    const auto meets = [&](const BytePlace& place, uint32_t size) {
      return ByteSpan{place, s.n * size}.meets(c.to, bytes);
    };
    return s.n * s.src_bytes == bytes && c.n % s.src_bytes == 0 && !meets(s.a, s.src_bytes) &&
           !meets(s.to, s.to_bytes);
  }

  void drop_out(size_t copy) {
    const ProgramStep c = steps_[copy];
    const Twin twin = {c.a, c.to, c.n, c.n};
    begin();
    const size_t writer = writer_of(copy, twin);
    if (writer == kNoStep || !reads_all(copy + 1, twin)) return;
    steps_[writer].to = twin.gm;
    move_readers(twin);
    gone_[copy] = true;
  }

  void begin() {
    readers_.clear();
    taken_ = 0;
  }

  // Notes every step from number `from` on that reads the twin's bytes, up to where they are
  // written anew. False: one of them cannot read GM instead, or GM changes before.
  bool reads_all(size_t from, const Twin& twin) {
    bool changed = false;  // says whether the twin in GM has changed
    const size_t end = std::min(steps_.size(), from + kCopyHorizon);
    for (size_t i = from; i < end; ++i) {
      if (gone_[i]) continue;
      if (steps_[i].is_meeting()) changed = true;  // by others, perhaps
      if (!reads_well(i, twin, changed)) return false;
      bool over = false;
      if (!writes_well(i, twin, over, changed)) return false;
      if (over) return true;
    }
    return end == steps_.size();
  }

  // A step may read the twin as a source that lies in it. Where its beginning was written anew,
  // others may be read, and nothing of the twin any more.
  bool reads_well(size_t i, const Twin& twin, bool changed) {
    bool touches = false, well = true;
    for_each_span(steps_[i], recording_, [&](const ByteSpan& span) {
      if (span.write || !span.meets(twin.ub, twin.filled)) return;
      if (taken_ > 0) {
        well = well && span.lies_in(twin.ub, taken_);
        return;
      }
      touches = true;
      well = well && span.lies_in(twin.ub, twin.bytes);
    });
    if (!touches) return well;
    if (!well || changed || !can_move(steps_[i], twin)) return false;
    readers_.push_back(i);
    return true;
  }

  // over: the twin's bytes in UB are written anew.
  bool writes_well(size_t i, const Twin& twin, bool& over, bool& changed) {
    bool well = true;
    const bool reader = !readers_.empty() && readers_.back() == i;
    for_each_span(steps_[i], recording_, [&](const ByteSpan& span) {
      if (!span.write) return;
      if (span.meets(twin.ub, twin.filled)) {
        const uint64_t end = span.from.at + span.bytes - twin.ub.at;
        well = well && span.whole && span.from.at <= twin.ub.at;
        taken_ = std::max(taken_, end);
        over = taken_ >= twin.filled;
      }
      if (span.meets(twin.gm, twin.bytes)) {
        changed = true;
        well = well && !(reader && !in_step(steps_[i], twin));
      }
    });
    return well;
  }

  // The step writes the very elements of GM that it would read.
  static bool in_step(const ProgramStep& s, const Twin& twin) {
    if (s.kind != Kind::kRows || s.fold_row != 0 || s.src_bytes != s.to_bytes) return false;
    const auto moves_there = [&](const BytePlace& from) {
      const ByteSpan source = {from, s.n * s.src_bytes};
      return !source.meets(twin.ub, twin.bytes) || twin.moved(from) == s.to;
    };
    return (s.sources < 1 || moves_there(s.a)) && (s.sources < 2 || moves_there(s.b));
  }

  // Tells whether the step reads the same values when its sources lie in GM. What reads_to reads is
  // written, too, and stays in UB; so do sources that the step itself changes on its way.
  static bool can_move(const ProgramStep& s, const Twin& twin) {
    if (s.is_kept()) return false;
    const StepTouch all = touched(s);
    const ByteSpan written = all.runs[all.count - 1].span();
    if (!written.meets(twin.ub, twin.filled)) return true;
    if (s.is_rows()) return !s.reads_to && s.times == 1 && has_no_order(s);
    return s.rows == 1;
  }

  void move_readers(const Twin& twin) {
    for (const size_t i : readers_) {
      ProgramStep& s = steps_[i];
      const auto move = [&](BytePlace& place) {
        if (ByteSpan{place, 1}.meets(twin.ub, twin.bytes)) place = twin.moved(place);
      };
      if (s.sources > 0 || !s.is_rows()) move(s.a);
      if (s.sources > 1) move(s.b);
    }
  }

  // Returns the step that writes the twin's bytes in UB and can write GM instead, with everything
  // between it and the copy reading them well and leaving GM alone.
  size_t writer_of(size_t copy, const Twin& twin) {
    const size_t least = copy > kCopyHorizon ? copy - kCopyHorizon : 0;
    for (size_t i = copy; i-- > least;) {
      if (gone_[i]) continue;
      if (steps_[i].is_meeting()) return kNoStep;
      bool writes = false, well = true;
      for_each_span(steps_[i], recording_, [&](const ByteSpan& span) {
        if (span.meets(twin.gm, twin.bytes)) well = false;
        if (span.write && span.meets(twin.ub, twin.bytes)) writes = true;
      });
      if (writes) return writes_twin(steps_[i], twin) ? i : kNoStep;
      if (!well || !reads_well(i, twin, false)) return kNoStep;
    }
    return kNoStep;
  }

  // In GM the step must not meet its own sources unless they are in step with it.
  static bool writes_twin(const ProgramStep& s, const Twin& twin) {
    if (s.kind != Kind::kRows || s.reads_to || !(s.to == twin.ub)) return false;
    if (s.n * s.to_bytes != twin.bytes) return false;
    ProgramStep moved = s;
    moved.to = twin.gm;
    return has_no_order(moved);
  }

  const BlockSteps& recording_;
  std::vector<ProgramStep>& steps_;
  std::vector<bool> gone_;
  std::vector<size_t> readers_;
  uint64_t taken_ = 0;  // bytes at the twin's beginning that were written anew
};

}  // namespace

void drop_copies(BlockSteps& recording) { Dropping(recording).run(); }

}  // namespace opkit::core
