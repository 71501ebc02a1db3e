#include "opkit/core/replay/spans.h"

#include <algorithm>

namespace opkit::core {
namespace {

constexpr uint64_t kFoldedBytes = 32;  // the one block of a row

using Kind = ProgramStep::Kind;

Runs runs_of_b(const ProgramStep& s) {
  if (s.kind == Kind::kStrip) {
    const uint64_t row = s.folded ? kFoldedBytes : s.times * s.n * s.src_bytes;
    return {s.b, row, s.rows, s.b_pitch};
  }
  if (s.fold_row == 0) return {s.b, s.n * s.src_bytes};
  const auto rows = static_cast<uint32_t>(s.n / s.fold_row);
  return {s.b, s.folded ? kFoldedBytes : uint64_t{s.fold_row} * s.src_bytes, rows, s.fold_pitch};
}

StepTouch touched_by_rows(const ProgramStep& s) {
  const bool strip = s.kind == Kind::kStrip;
  const uint32_t rows = strip ? s.rows : 1;
  const Runs to = {s.to, s.n * s.to_bytes, rows, strip ? s.to_pitch : 0};
  StepTouch all;
  const uint64_t elements_of_a = s.folds_a ? s.fold_row : s.n;
  if (s.sources > 0) all.add({s.a, elements_of_a * s.src_bytes, rows, strip ? s.a_pitch : 0});
  if (s.sources > 1) all.add(runs_of_b(s));
  if (s.reads_to) all.add(to);
  all.add(to);
  all.runs[all.count - 1].write = true;
  return all;
}

StepTouch touched_by_others(const ProgramStep& s) {
  uint64_t read = s.n, written = s.n;
  if (s.kind == Kind::kPad) written = s.pad_left + s.n + s.pad_right;
  const bool sums = s.kind == Kind::kSums || s.kind == Kind::kParts;
  if (sums) read = 64 * sizeof(float);
  if (s.kind == Kind::kMost || s.kind == Kind::kLeast) read = s.n * sizeof(float);
  if (s.kind != Kind::kCopy && s.kind != Kind::kPad) written = sizeof(float);
  if (s.kind == Kind::kParts) written = 8 * sizeof(float);
  StepTouch all;
  all.add({s.a, read, s.rows, s.a_pitch});
  all.add({s.to, written, s.rows, s.to_pitch, true});
  return all;
}

bool meet(const Runs& x, const Runs& y) {
  const ByteSpan a = x.span(), b = y.span();
  return a.meets(b.from, b.bytes);
}

}  // namespace

bool is_spread(const ProgramStep& s, uint32_t source) {
  return s.fold_row != 0 && (source == 1 || (source == 0 && s.folds_a)) && source < s.sources;
}

StepTouch touched(const ProgramStep& step) {
  return step.is_rows() ? touched_by_rows(step) : touched_by_others(step);
}

bool has_no_order(const ProgramStep& s) {
  const bool strip = s.kind == Kind::kStrip;
  if (strip && s.rows > 1 && s.to_pitch < static_cast<int64_t>(s.n * s.to_bytes)) return false;
  const bool alike = s.src_bytes == s.to_bytes;
  const StepTouch all = touched_by_rows(s);
  const Runs& to = all.runs[all.count - 1];
  for (uint32_t i = 0; i < s.sources; ++i) {
    const Runs& from = all.runs[i];
    const bool spread = is_spread(s, i) || (i == 1 && (s.folded || s.times > 1));
    const bool in_place = alike && !spread && from.from == to.from &&
                          (!strip || s.rows == 1 || from.pitch == to.pitch);
    if (!in_place && meet(from, to)) return false;
  }
  return true;
}

}  // namespace opkit::core
