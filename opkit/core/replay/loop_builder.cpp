#include "opkit/core/replay/loop_builder.h"

#include <algorithm>

#include "opkit/core/replay/loop_math.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

constexpr uint32_t kBlockOfRow = 32;        // bytes that a folded step reads over and over
constexpr uint64_t kFarthest = 1ull << 30;  // bytes that a loop walks at most
constexpr size_t kMostLoopSteps = 2000;     // operations of one body

// What a loop holds of bytes that its steps have read or written.
struct HeldLanes {
  LoopStream stream;
  bool scratch = false;
  uint16_t number = 0;        // numbers the stream in the body; scratch memory has none
  ValueId stored = kNoValue;  // as memory has them
  ValueId lanes = kNoValue;   // as operations read them
};

using Element = LoopStream::Element;

Element element_of(uint8_t dtype) {
  return dtype == OPK_FLOAT16    ? Element::kHalf
         : dtype == OPK_BFLOAT16 ? Element::kBFloat
                                 : Element::kWord;
}

class LoopBuilder {
 public:
  LoopBuilder(const ProgramStep* first, const ProgramStep* end, const SamePlaces& same,
              const LoopForm& form)
      : steps_(first, end), same_(same), form_(form) {
    loop_.body.n = first->n;
  }

  bool build() {
    if (!take_places() || !take_rows()) return false;
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!take(i) || mixed_ || loop_.body.steps.size() > kMostLoopSteps) return false;
    }
    loop_.body.places = static_cast<uint32_t>(loop_.places.size());
    return true;
  }
  GroupLoop loop() { return std::move(loop_); }

 private:
  // Numbers of places in GM become those of the body's places.
  bool take_places() {
    for (ProgramStep& s : steps_) {
      if (!take_place(s.to)) return false;
      if (s.sources > 0 && !take_place(s.a)) return false;
      if (s.sources > 1 && !take_place(s.b)) return false;
    }
    return true;
  }
  bool take_place(BytePlace& place) {
    if (place.in != BytePlace::In::kGm) return true;
    for (uint32_t i = 0; i < loop_.places.size(); ++i) {
      const SamePlaces::Answer answer = same_.ask(loop_.places[i], place.index);
      if (answer == SamePlaces::Answer::kSometimes) return false;
      if (answer == SamePlaces::Answer::kNever) continue;
      place.index = i;
      return true;
    }
    loop_.places.push_back(place.index);
    place.index = static_cast<uint32_t>(loop_.places.size() - 1);
    return true;
  }

  // All rows of a loop have one length.
  bool take_rows() {
    for (const ProgramStep& s : steps_) {
      if (s.fold_row == 0) continue;
      if (loop_.body.row != 0 && loop_.body.row != s.fold_row) return false;
      loop_.body.row = s.fold_row;
      if (s.folded && s.fold_row * s.src_bytes % kBlockOfRow != 0) return false;
      if (s.n * s.src_bytes > kFarthest || s.fold_pitch > kFarthest) return false;
    }
    return loop_.body.row == 0 || loop_.body.n % loop_.body.row == 0;
  }

  bool take(size_t number) {
    const ProgramStep& s = steps_[number];
    if (!knows_step(s) || s.n != loop_.body.n || s.n * 4 > kFarthest) return false;
    StepLanes in;
    if (s.sources > 0 && (in.a = read_source(s, 0)) == kNoValue) return false;
    if (s.sources > 1 && (in.b = read_source(s, 1)) == kNoValue) return false;
    if (s.reads_to && (in.old = read(s.to, s.dtype)) == kNoValue) return false;
    BodyWriter writer(loop_.body);
    write(s, lanes_of_step(s, in, writer), is_last_write(number));
    return true;
  }

  bool is_last_write(size_t number) const {
    return std::none_of(steps_.begin() + static_cast<std::ptrdiff_t>(number) + 1, steps_.end(),
                        [&](const ProgramStep& s) { return s.to == steps_[number].to; });
  }

  ValueId read(const BytePlace& place, uint8_t dtype) {
    return lanes_of(held(place, element_of(dtype), LoopStream::Walk::kAlong, 0));
  }
  ValueId read_source(const ProgramStep& s, uint32_t source) {
    const BytePlace& place = source == 0 ? s.a : s.b;
    if (!is_spread(s, source)) return read(place, s.src_dtype);
    if (place.in == BytePlace::In::kScratch) return kNoValue;
    const bool blocks = s.folded && source == 1;
    const auto walk = blocks ? LoopStream::Walk::kBlocks : LoopStream::Walk::kRows;
    return lanes_of(held(place, element_of(s.src_dtype), walk, source == 1 ? s.fold_pitch : 0));
  }

  ValueId lanes_of(HeldLanes& h) {
    if (h.lanes != kNoValue) return h.lanes;
    BodyWriter writer(loop_.body);
    const bool half = h.stream.element == Element::kHalf;
    if (h.stored != kNoValue)
      return h.lanes = writer.add(half ? LaneOp::kFromHalf : LaneOp::kFromBFloat, h.stored);
    if (h.scratch) return kNoValue;
    const bool at_row = h.stream.walk == LoopStream::Walk::kBlocks && form_.keeps_blocks;
    const ValueId lanes = writer.load(h.number, at_row);
    if (at_row || form_.keeps_loads) h.lanes = lanes;
    return lanes;
  }

  void write(const ProgramStep& s, ValueId lanes, bool last) {
    HeldLanes& h = held(s.to, element_of(s.dtype), LoopStream::Walk::kAlong, 0);
    BodyWriter writer(loop_.body);
    h.lanes = h.stored = lanes;
    if (h.stream.element != Element::kWord) {
      const bool half = h.stream.element == Element::kHalf;
      h.stored = half ? writer.add(LaneOp::kToHalf, lanes) : bfloat_of_lanes(lanes, writer);
      if (s.saturate >= 0) h.stored = writer.add(LaneOp::kFinite, h.stored, kNoValue, half ? 0 : 1);
      h.lanes = kNoValue;
    }
    if (!last || h.scratch) return;
    writer.store(h.number, h.stored);
    if (!form_.keeps_loads) h.lanes = h.stored = kNoValue;
  }

  HeldLanes& held(const BytePlace& place, Element element, LoopStream::Walk walk, uint32_t pitch) {
    LoopStream wanted;
    wanted.in_gm = place.in == BytePlace::In::kGm;
    wanted.element = element;
    wanted.walk = walk;
    wanted.place = wanted.in_gm ? place.index : 0;
    wanted.at = place.at;
    wanted.pitch = pitch;
    const bool scratch = place.in == BytePlace::In::kScratch;
    for (HeldLanes& h : held_) {
      if (h.scratch != scratch) continue;
      if (h.stream == wanted) return h;
      LoopStream other = wanted;
      other.element = h.stream.element;
      mixed_ = mixed_ || (h.stream == other && h.stream.size() == wanted.size());
    }
    HeldLanes made;
    made.stream = wanted;
    made.scratch = scratch;
    made.number = static_cast<uint16_t>(loop_.body.streams.size());
    if (!scratch) loop_.body.streams.push_back(wanted);
    held_.push_back(made);
    return held_.back();
  }

  std::vector<ProgramStep> steps_;
  const SamePlaces& same_;
  const LoopForm form_;
  GroupLoop loop_;
  std::vector<HeldLanes> held_;
  bool mixed_ = false;  // tells whether one place was of two types
};

}  // namespace

SamePlaces::Answer SamePlaces::ask(uint32_t x, uint32_t y) const {
  if (x == y) return Answer::kAlways;
  size_t equal = 0;
  for (const std::vector<BytePlace>* places : blocks_) equal += (*places)[x] == (*places)[y];
  return equal == 0                ? Answer::kNever
         : equal == blocks_.size() ? Answer::kAlways
                                   : Answer::kSometimes;
}

std::optional<GroupLoop> loop_of(const ProgramStep* first, const ProgramStep* end,
                                 const SamePlaces& same, const LoopForm& form) {
  LoopBuilder builder(first, end, same, form);
  if (!builder.build()) return std::nullopt;
  return builder.loop();
}

}  // namespace opkit::core
