// Strips and rows that follow each other.
#include <cstring>

#include "opkit/core/isa/vector/call.h"
#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

bool compute_alike(const ProgramStep& s, const ProgramStep& t) {
  return s.is_rows() && s.kind == t.kind && s.fn == t.fn && s.op == t.op &&
         s.sources == t.sources && s.reads_to == t.reads_to && s.folded == t.folded &&
         s.saturate == t.saturate && s.to_bytes == t.to_bytes && s.src_bytes == t.src_bytes &&
         same(s.context, t.context);
}

bool is_behind(const BytePlace& next, const BytePlace& first, uint64_t bytes) {
  return next == first.plus(bytes);
}

// Rows of more elements: t goes on where the rows of s end.
bool makes_wider(const ProgramStep& s, const ProgramStep& t, ProgramStep& wider) {
  if (s.kind != Kind::kStrip || s.rows != t.rows || s.times != 1 || t.times != 1) return false;
  if (s.to_pitch != t.to_pitch || s.a_pitch != t.a_pitch || s.b_pitch != t.b_pitch) return false;
  if (!is_behind(t.to, s.to, s.n * s.to_bytes)) return false;
  if (s.sources > 0 && !is_behind(t.a, s.a, s.n * s.src_bytes)) return false;
  if (s.sources > 1 && !is_behind(t.b, s.b, s.folded ? 0 : s.n * s.src_bytes)) return false;
  // A folded row begins with the first lane of its block.
  if (s.folded && s.n * s.src_bytes % kBlockBytes != 0) return false;
  wider = s;
  wider.n += t.n;
  return has_no_order(s) && has_no_order(t) && has_no_order(wider);
}

// Rows that take up what lies behind in b, too.
bool goes_onto(const ProgramStep& s, const ProgramStep& t, ProgramStep& longer) {
  if (s.kind != Kind::kStrip || s.sources != 2 || s.folded || s.n != t.n || s.rows != t.rows)
    return false;
  if (t.times != 1 || !(t.to == s.to) || !(t.a == s.a) || !(s.a == s.to)) return false;
  if (s.to_pitch != t.to_pitch || s.a_pitch != t.a_pitch || s.b_pitch != t.b_pitch) return false;
  if (s.a_pitch != s.to_pitch || !is_behind(t.b, s.b, s.times * s.n * s.src_bytes)) return false;
  longer = s;
  ++longer.times;
  return has_no_order(s) && has_no_order(t) && has_no_order(longer);
}

// One row behind the other.
bool lengthens(const ProgramStep& s, const ProgramStep& t, ProgramStep& longer) {
  if (s.kind != Kind::kRows || s.fold_row != 0 || t.fold_row != 0) return false;
  if (!is_behind(t.to, s.to, s.n * s.to_bytes)) return false;
  if (s.sources > 0 && !is_behind(t.a, s.a, s.n * s.src_bytes)) return false;
  if (s.sources > 1 && !is_behind(t.b, s.b, s.n * s.src_bytes)) return false;
  longer = s;
  longer.n += t.n;
  return has_no_order(longer);
}

// One row behind the other, of which each has a block of its own, over and over: rows of one step.
bool appends_block(const ProgramStep& s, const ProgramStep& t, ProgramStep& longer) {
  if (s.kind != Kind::kRows || !s.folded || s.folds_a || t.folds_a) return false;
  const auto is_one_row = [](const ProgramStep& r) {
    return r.fold_pitch == 0 || r.n == r.fold_row;
  };
  const bool first = is_one_row(s) && s.n == t.n;
  const uint64_t row = first ? s.n : s.fold_row;
  if (!is_one_row(t) || t.n != row || s.n % row != 0 || row > UINT32_MAX) return false;
  if (s.fold_row * s.src_bytes % kBlockBytes != 0 || t.fold_row * t.src_bytes % kBlockBytes != 0)
    return false;
  if (!is_behind(t.to, s.to, s.n * s.to_bytes) || !is_behind(t.a, s.a, s.n * s.src_bytes))
    return false;
  const uint64_t pitch = first ? t.b.at - s.b.at : s.fold_pitch;
  if (pitch > UINT32_MAX || !is_behind(t.b, s.b, s.n / row * pitch)) return false;
  longer = s;
  longer.n += t.n;
  longer.fold_row = static_cast<uint32_t>(row);
  longer.fold_pitch = static_cast<uint32_t>(pitch);
  return has_no_order(longer);
}

// One row behind the other, with one row as b, or also as a, for all of them.
bool appends_row(const ProgramStep& s, const ProgramStep& t, ProgramStep& longer) {
  if (s.kind != Kind::kRows || s.sources != 2 || s.folded || t.fold_row != 0) return false;
  const bool first = s.fold_row == 0;
  if (!first && (s.fold_pitch != 0 || s.fold_row != t.n)) return false;
  if (first && (s.n != t.n || s.n > UINT32_MAX)) return false;
  if (!is_behind(t.to, s.to, s.n * s.to_bytes) || !(t.b == s.b)) return false;
  const bool one_a = t.a == s.a && (first || s.folds_a);
  const bool next_a = is_behind(t.a, s.a, s.n * s.src_bytes) && !s.folds_a;
  if (!one_a && !next_a) return false;
  longer = s;
  longer.n += t.n;
  longer.fold_row = static_cast<uint32_t>(t.n);
  longer.fold_pitch = 0;
  longer.folds_a = one_a;
  return has_no_order(s) && has_no_order(t) && has_no_order(longer);
}

// Copies of one run each that follow each other on both sides.
bool copies_on(const ProgramStep& s, const ProgramStep& t, ProgramStep& longer) {
  if (s.kind != Kind::kCopy || t.kind != Kind::kCopy || s.rows != 1 || t.rows != 1) return false;
  if (!is_behind(t.to, s.to, s.n) || !is_behind(t.a, s.a, s.n)) return false;
  longer = s;
  longer.n += t.n;
  return !(s.a.in == s.to.in && s.a.index == s.to.index);
}

bool merges(const ProgramStep& s, const ProgramStep& t, ProgramStep& merged) {
  if (copies_on(s, t, merged)) return true;
  return compute_alike(s, t) &&
         (makes_wider(s, t, merged) || goes_onto(s, t, merged) || lengthens(s, t, merged) ||
          appends_block(s, t, merged) || appends_row(s, t, merged));
}

// A strip whose rows follow each other without gaps is one long row.
void straighten(ProgramStep& s) {
  if (s.kind != Kind::kStrip || s.times != 1 || !has_no_order(s)) return;
  const auto to = static_cast<int64_t>(s.n * s.to_bytes);
  const auto from = static_cast<int64_t>(s.n * s.src_bytes);
  const bool one = s.rows == 1 && !s.folded;
  const bool dense_b = s.sources < 2 || (!s.folded && s.b_pitch == from);
  if (!one && (s.to_pitch != to || (s.sources > 0 && s.a_pitch != from))) return;
  if (!one && !dense_b) {
    s.fold_row = static_cast<uint32_t>(s.n);
    s.fold_pitch = static_cast<uint32_t>(s.b_pitch);
  }
  s.n *= s.rows;
  s.kind = Kind::kRows;
  s.rows = 1;
  s.to_pitch = s.a_pitch = s.b_pitch = 0;
}

uint16_t relu_pair_of(uint16_t op) {
  switch (op) {
    case OPK_V_ADD: return OPK_V_ADD_RELU;
    case OPK_V_SUB: return OPK_V_SUB_RELU;
    case OPK_V_FUSED_MUL_ADD: return OPK_V_FUSED_MUL_ADD_RELU;
    default: return OPK_V_COUNT_;
  }
}

// Joins a step and the Relu behind it in one pass: `both` has the same bits.
bool relu_joins(const ProgramStep& s, const ProgramStep& relu, ProgramStep& both) {
  const bool plain = s.kind == Kind::kRows && relu.kind == Kind::kRows && s.n == relu.n &&
                     s.fold_row == 0 && s.src_bytes == s.to_bytes;
  if (!plain || relu.op != OPK_V_RELU || !(relu.a == relu.to) || !(s.to == relu.to)) return false;
  if (s.dtype != relu.dtype || s.saturate != relu.saturate) return false;
  const uint16_t pair = relu_pair_of(s.op);
  if (pair == OPK_V_COUNT_) return false;
  const Row& row = find_row(pair, s.dtype, s.dtype);
  if (!row.fn || row.sources != s.sources || row.reads_dst != s.reads_to) return false;
  both = s;
  both.fn = row.fn;
  both.op = pair;
  return true;
}

void merge_once(std::vector<ProgramStep>& steps) {
  size_t kept = 0;
  for (const ProgramStep& next : steps) {
    ProgramStep merged;
    if (kept > 0 && merges(steps[kept - 1], next, merged)) {
      steps[kept - 1] = merged;
    } else {
      const ProgramStep copy = next;
      steps[kept++] = copy;
    }
  }
  steps.resize(kept);
}

}  // namespace

void merge_steps(BlockSteps& recording) {
  merge_once(recording.steps);
  for (ProgramStep& s : recording.steps) straighten(s);
  merge_once(recording.steps);
}

void join_relu(BlockSteps& recording) {
  std::vector<ProgramStep>& steps = recording.steps;
  size_t kept = 0;
  for (const ProgramStep& next : steps) {
    ProgramStep both;
    if (kept > 0 && relu_joins(steps[kept - 1], next, both)) {
      steps[kept - 1] = both;
    } else {
      const ProgramStep copy = next;
      steps[kept++] = copy;
    }
  }
  steps.resize(kept);
}

}  // namespace opkit::core
