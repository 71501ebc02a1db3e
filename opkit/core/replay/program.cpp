#include "opkit/core/replay/program.h"

#include <cstring>

namespace opkit::core {
namespace {

class StepDigest {
 public:
  void add(uint64_t value) { state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u + (state_ >> 29); }
  void add(const BytePlace& place) {
    add(static_cast<uint64_t>(place.in));
    add(place.index);
    add(place.at);
  }
  void add(const ProgramStep& s) {
    add(static_cast<uint64_t>(s.kind));
    add(s.op);
    add(s.context.scalar[0]);
    add(s.to);
    add(s.a);
    add(s.b);
    add(s.n);
    add(s.rows);
    add(s.number);
  }
  void add(const Issued& issued) {
    add(issued.v.op);
    add(issued.v.count);
    add(issued.v.scalar[0]);
    add(issued.mask[0]);
    for (const ByteSpan& span : issued.spans) add(span.from);
  }
  uint64_t take() const { return state_; }

 private:
  uint64_t state_ = 0;
};

}  // namespace

bool same(const RowContext& x, const RowContext& y) {
  return x.scalar[0] == y.scalar[0] && x.scalar[1] == y.scalar[1] && x.mode == y.mode &&
         x.flags == y.flags && x.wrap_integers == y.wrap_integers &&
         x.saturate_halves == y.saturate_halves &&
         std::memcmp(&x.deq_scale, &y.deq_scale, sizeof x.deq_scale) == 0;
}

bool Issued::operator==(const Issued& o) const {
  return std::memcmp(&v, &o.v, sizeof v) == 0 && mask[0] == o.mask[0] && mask[1] == o.mask[1] &&
         ctrl == o.ctrl && mask_mode == o.mask_mode &&
         std::memcmp(&deq_scale, &o.deq_scale, sizeof deq_scale) == 0 &&
         deq_offset_sign == o.deq_offset_sign && lists == o.lists && spans == o.spans;
}

bool ProgramStep::operator==(const ProgramStep& o) const {
  return kind == o.kind && sources == o.sources && reads_to == o.reads_to && folded == o.folded &&
         joins == o.joins && dtype == o.dtype && src_dtype == o.src_dtype && op == o.op &&
         saturate == o.saturate && fn == o.fn && same(context, o.context) && to == o.to &&
         a == o.a && b == o.b && n == o.n && rows == o.rows && times == o.times &&
         to_pitch == o.to_pitch && a_pitch == o.a_pitch && b_pitch == o.b_pitch &&
         to_bytes == o.to_bytes && src_bytes == o.src_bytes && fold_row == o.fold_row &&
         fold_pitch == o.fold_pitch && folds_a == o.folds_a && pad_left == o.pad_left &&
         pad_right == o.pad_right && pads_first == o.pads_first && number == o.number;
}

bool BlockClass::does_as(const BlockClass& o) const {
  return steps == o.steps && issued == o.issued && cube == o.cube;
}

uint64_t digest_of(const std::vector<ProgramStep>& steps, const std::vector<Issued>& issued) {
  StepDigest digest;
  for (const ProgramStep& step : steps) digest.add(step);
  for (const Issued& each : issued) digest.add(each);
  return digest.take();
}

uint64_t LaunchProgram::bytes() const {
  uint64_t bytes = sizeof *this;
  for (const BlockClass& each : classes_) {
    bytes += sizeof each + each.steps.capacity() * sizeof(ProgramStep) +
             each.issued.capacity() * sizeof(Issued) + each.cube.bytes();
    for (const Issued& issued : each.issued) bytes += issued.spans.capacity() * sizeof(ByteSpan);
  }
  for (const Block& block : blocks_)
    bytes += sizeof block + block.places.capacity() * sizeof(BytePlace);
  return bytes + code_bytes_;
}

bool LaunchProgram::operator==(const LaunchProgram& o) const {
  if (classes_.size() != o.classes_.size() || blocks_.size() != o.blocks_.size()) return false;
  for (size_t i = 0; i < classes_.size(); ++i) {
    if (!classes_[i].does_as(o.classes_[i])) return false;
  }
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].of_class != o.blocks_[i].of_class || blocks_[i].places != o.blocks_[i].places)
      return false;
  }
  return true;
}

}  // namespace opkit::core
