#include "opkit/core/replay/known_blocks.h"

#include <algorithm>

namespace opkit::core {
namespace {

constexpr uint64_t kUntouched = ~uint64_t{0};

// Calls f(place) for every place in GM of a recording.
template <typename F>
void for_each_gm_place(BlockSteps& recording, F&& f) {
  const auto visit = [&](BytePlace& place) {
    if (place.in == BytePlace::In::kGm) f(place);
  };
  for (ProgramStep& s : recording.steps) {
    if (s.is_kept()) continue;
    visit(s.to);
    visit(s.a);
    visit(s.b);
  }
  for (BytePlace& place : recording.cube_places) visit(place);
  for (Runs& runs : recording.touches) visit(runs.from);
}

bool did(const KnownBlocks::Known& known, const BlockSteps& recording) {
  return known.steps == recording.steps && known.cube_places == recording.cube_places &&
         known.cube_steps == recording.cube_steps && known.issued == recording.issued &&
         known.cube == recording.cube;
}

}  // namespace

RangeStarts make_relative(BlockSteps& recording, uint32_t ranges) {
  RangeStarts starts(ranges, kUntouched);
  for_each_gm_place(recording, [&](const BytePlace& place) {
    starts[place.index] = std::min(starts[place.index], place.at);
  });
  for_each_gm_place(recording, [&](BytePlace& place) { place.at -= starts[place.index]; });
  return starts;
}

std::vector<BytePlace> placed_behind(const RangeStarts& starts,
                                     const std::vector<BytePlace>& relative) {
  std::vector<BytePlace> places(relative);
  for (BytePlace& place : places) place.at += starts[place.index];
  return places;
}

const KnownBlocks::Known* KnownBlocks::find(const BlockSteps& recording) const {
  const auto [first, last] = by_digest_.equal_range(digest_of(recording.steps, recording.issued));
  const auto known =
      std::find_if(first, last, [&](const auto& each) { return did(each.second, recording); });
  return known != last ? &known->second : nullptr;
}

KnownBlocks::Known& KnownBlocks::add(const BlockSteps& recording) {
  Known& known = by_digest_.emplace(digest_of(recording.steps, recording.issued), Known{})->second;
  known.steps = recording.steps;
  known.issued = recording.issued;
  known.cube = recording.cube;
  known.cube_steps = recording.cube_steps;
  known.cube_places = recording.cube_places;
  return known;
}

}  // namespace opkit::core
