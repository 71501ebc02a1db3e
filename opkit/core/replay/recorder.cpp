#include "opkit/core/replay/recorder.h"

#include <algorithm>
#include <map>
#include <utility>

#include "opkit/abi/headers_told.h"
#include "opkit/core/replay/shorten.h"
#include "opkit/core/replay/spans.h"
#include "opkit/core/state/core.h"

namespace opkit::core {
namespace {

constexpr const char* kGivenUp = "EK1604";     // a launch without data cannot go on
constexpr size_t kMostRuns = size_t{1} << 20;  // limits the runs of GM that are compared

bool leaves_registers(uint16_t op) {
  static constexpr bool kLeaves[] = {
#define OPKIT_LEAVES_UB false
#define OPKIT_LEAVES_REGISTER true
#define X(id, name, sources, family, cost, leaves, ...) OPKIT_LEAVES_##leaves,
#include "opkit/abi/vector_ops.inc"
#undef X
#undef OPKIT_LEAVES_UB
#undef OPKIT_LEAVES_REGISTER
  };
  return op < OPK_V_COUNT_ && kLeaves[op];
}

// Places in GM become numbers in a list of the block's.
class Numbering {
 public:
  void number(ProgramStep& s, const BlockSteps& recording) {
    if (s.is_of_cube()) return number_cube(s, recording);
    number(s.to);
    number(s.a);
    number(s.b);
  }
  std::vector<BytePlace> take() { return std::move(places_); }

 private:
  void number_cube(ProgramStep& s, const BlockSteps& recording) {
    const CubeStep& cube = recording.cube_steps[s.number];
    s.number = cube.call;
    s.n = places_.size();
    const auto first = recording.cube_places.begin() + cube.first_place;
    places_.insert(places_.end(), first, first + cube.places);
  }
  void number(BytePlace& place) {
    if (place.in != BytePlace::In::kGm) return;
    places_.push_back(place);
    place.index = static_cast<uint32_t>(places_.size() - 1);
    place.at = 0;
  }
  std::vector<BytePlace> places_;
};

}  // namespace

void ProgramRecorder::launch_begins(const LaunchRequest& request) {
  request_ = &request;
  program_.blocks_.resize(size_t{request.block_dim} * CoreId::kSeats);
  catch_phantom_faults(this);
}

void ProgramRecorder::launch_ends() {
  release_phantom_faults();
  if (why_.empty() && blocks_meet()) why_ = "reads or writes bytes of GM that another block writes";
  program_.classes_.shrink_to_fit();
  known_.clear();
}

void ProgramRecorder::core_begins(Core& core) {
  std::unique_ptr<Recorded>& recorded = by_seat_[core.seat()];
  recorded = std::make_unique<Recorded>();
  recorded->core = &core;
  core.reduce_value = core.reduce_index = core.gather_mask_count = options_.registers;
  core.cmp_mask[0] = core.cmp_mask[1] = options_.registers;
  for (uint16_t& count : core.merge_counts) count = static_cast<uint16_t>(options_.registers);
}

void ProgramRecorder::core_ends(Core& core) {
  const auto at = by_seat_.find(core.seat());
  const std::unique_ptr<Recorded> recorded = std::move(at->second);
  by_seat_.erase(at);
  if (!why_.empty()) return;
  BlockSteps& steps = recorded->steps;
  if (options_.judges) note_runs(steps, core.block);
  const RangeStarts starts = make_relative(steps, request_->gm_count);
  const KnownBlocks::Known* known = known_.find(steps);
  if (known == nullptr) known = add_known(core, steps);
  if (known != nullptr)
    add_block(core.seat(), known->of_class, placed_behind(starts, known->places));
}

// nullptr: the steps cannot be run again.
const KnownBlocks::Known* ProgramRecorder::add_known(Core& core, BlockSteps& steps) {
  if (options_.judges && leaks_leftovers(steps, core.memory_size[OPK_MEM_UB]))
    return remember("copies bytes of UB to GM that it has not written"), nullptr;
  KnownBlocks::Known& known = known_.add(steps);
  BlockClass done;
  shorten(steps, done);
  Numbering numbering;
  for (ProgramStep& step : steps.steps) numbering.number(step, steps);
  done.steps = std::move(steps.steps);
  done.issued = std::move(steps.issued);
  done.cube = std::move(steps.cube);
  known.places = numbering.take();
  done.places = static_cast<uint32_t>(known.places.size());
  known.of_class = class_of(std::move(done));
  return &known;
}

void ProgramRecorder::shorten(BlockSteps& steps, BlockClass& done) {
  merge_steps(steps);
  join_relu(steps);
  drop_copies(steps);
  merge_steps(steps);
  done.scratch = join_steps(steps);
}

uint32_t ProgramRecorder::class_of(BlockClass&& done) {
  std::vector<BlockClass>& classes = program_.classes_;
  const uint64_t digest = digest_of(done.steps, done.issued);
  const auto [first, last] = by_digest_.equal_range(digest);
  const auto known = std::find_if(
      first, last, [&](const auto& each) { return classes[each.second].does_as(done); });
  if (known != last) return known->second;
  done.steps.shrink_to_fit();
  done.issued.shrink_to_fit();
  done.cube.shrink_to_fit();
  bytes_ += done.steps.size() * sizeof(ProgramStep) + done.issued.size() * sizeof(Issued) +
            done.cube.bytes();
  classes.push_back(std::move(done));
  const auto added = static_cast<uint32_t>(classes.size() - 1);
  by_digest_.emplace(digest, added);
  return added;
}

void ProgramRecorder::add_block(uint32_t seat, uint32_t of_class, std::vector<BytePlace>&& places) {
  bytes_ += places.size() * sizeof(BytePlace);
  program_.blocks_[seat] = {of_class, std::move(places)};
  if (bytes_ > options_.most_bytes) remember("issues more than a program has room for");
}

bool ProgramRecorder::admit(Core& core, const Footprint& footprint) {
  Recorded& recorded = of(core);
  if (footprint.kind == InstructionKind::kVector && !recorded.tells_registers) {
    const auto& v = *static_cast<const opk_vector_v1*>(footprint.instruction);
    if (leaves_registers(v.op))
      give_up(core, "was built with older headers, which tell of no look at registers");
  }
  const Ground ground(*request_);
  if (const char* why = lower(core, footprint, ground, recorded.steps)) give_up(core, why);
  const BlockSteps& steps = recorded.steps;
  if (steps.steps.size() * sizeof(ProgramStep) + steps.touches.size() * sizeof(Runs) >
      4 * options_.most_bytes + (size_t{1} << 20))
    give_up(core, "issues more than a program has room for");
  return false;
}

void ProgramRecorder::note_run(std::vector<Run>& runs, const Run& run) {
  constexpr size_t kTensors = 4;  // that tiles take turns with
  for (size_t i = runs.size(); i-- > (runs.size() > kTensors ? runs.size() - kTensors : 0);) {
    Run& last = runs[i];
    if (last.range != run.range || last.block != run.block || last.end != run.begin) continue;
    last.end = run.end;
    return;
  }
  runs.push_back(run);
}

// Copies and the cube unit are all that touches GM.
void ProgramRecorder::note_runs(const BlockSteps& steps, uint32_t block) {
  for (const ProgramStep& step : steps.steps) {
    if (blocks_wait_ || !why_.empty()) return;
    if (step.is_of_cube()) {
      for_each_touch(step, steps, [&](const Runs& runs) { note_runs(runs, block); });
    } else if (step.kind == ProgramStep::Kind::kCopy || step.kind == ProgramStep::Kind::kPad) {
      for (const Runs& runs : touched(step)) note_runs(runs, block);
    }
  }
}

void ProgramRecorder::note_runs(const Runs& runs, uint32_t block) {
  if (runs.from.in != BytePlace::In::kGm) return;
  if (reads_.size() + writes_.size() + runs.rows > kMostRuns)
    return remember("touches GM in too many pieces");
  for (uint32_t r = 0; r < runs.rows; ++r) {
    const uint64_t begin = runs.from.at + r * static_cast<uint64_t>(runs.pitch);
    note_run(runs.write ? writes_ : reads_, {begin, begin + runs.bytes, runs.from.index, block});
  }
}

// Blocks that wait for each other say by that what comes first, and a program waits where they do.
bool ProgramRecorder::blocks_meet() {
  if (blocks_wait_) return false;
  std::sort(writes_.begin(), writes_.end());
  // The furthest end of what some block, and of what another one, has written so far.
  for (size_t i = 1; i < writes_.size(); ++i) {
    Run &before = writes_[i - 1], &run = writes_[i];
    if (before.range != run.range || before.end <= run.begin) continue;
    if (before.block != run.block) return true;
    run.end = std::max(run.end, before.end);
  }
  std::vector<bool> is_written(request_->gm_count, false);
  for (const Run& write : writes_) is_written[write.range] = true;
  for (const Run& read : reads_) {
    if (!is_written[read.range]) continue;
    auto it = std::lower_bound(writes_.begin(), writes_.end(), read);
    if (it != writes_.begin()) {
      const Run& before = *(it - 1);
      if (before.range == read.range && before.end > read.begin && before.block != read.block)
        return true;
    }
    for (; it != writes_.end() && it->range == read.range && it->begin < read.end; ++it) {
      if (it->block != read.block) return true;
    }
  }
  return false;
}

bool ProgramRecorder::touched_phantom(const void* on_stack) {
  for (const auto& [seat, recorded] : by_seat_) {
    if (!recorded->core->fiber.holds(on_stack)) continue;
    give_up(*recorded->core, "looks at tensors through pointers of its own");
    return true;
  }
  return false;
}

void ProgramRecorder::give_up(Core& core, const char* why) {
  remember(why);
  Fault fault;
  fault.code = kGivenUp;
  fault.resumable = false;
  core.refuse(std::move(fault));
}

void ProgramRecorder::meets(Core& core, ProgramStep::Kind kind, uint32_t op, uint32_t mode,
                            uint32_t pipe, uint32_t number) {
  ProgramStep step;
  step.kind = kind;
  step.op = static_cast<uint16_t>(op);
  step.rows = mode;
  step.times = pipe;
  step.number = number;
  of(core).steps.steps.push_back(step);
}

// Told of a wait when it has ended, which is as good a place for it: the core did nothing
// meanwhile.
void ProgramRecorder::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
                                 uint32_t id, const void*) {
  constexpr uint32_t kAmongBlocks = 0;
  blocks_wait_ |= op == OPK_SYNC_SET && mode == kAmongBlocks;
  meets(core, ProgramStep::Kind::kFlag, op, mode, pipe, id);
}
void ProgramRecorder::sync_all(Core& core, opk_sync_op op, uint32_t bits, const void*) {
  blocks_wait_ = true;
  if (op == OPK_SYNC_SET) meets(core, ProgramStep::Kind::kSyncAll, op, 0, 0, bits);
}
void ProgramRecorder::gm_word(Core& core, opk_sync_op, const int32_t*, const void*) {
  give_up(core, "waits for other cores, or lets them wait");
}
void ProgramRecorder::buffer(Core& core, const opk_buffer_v1& event, const void*) {
  const bool told = event.op == OPK_B_GET && event.buffer == 0;
  of(core).tells_registers |= told && event.depth == OPK_DEPTH_OF_HEADERS;
}
void ProgramRecorder::cache_cleaned(Core& core, const uint8_t*) {
  give_up(core, "cleans its cache, to see what others write");
}
void ProgramRecorder::sees_memory(Core& core) {
  give_up(core, "looks at UB or registers by itself, or waits for that");
}
void ProgramRecorder::polls(Core& core) {
  give_up(core, "looks at GM until another core has written");
}
void ProgramRecorder::prints(Core& core) { give_up(core, "prints"); }
int64_t ProgramRecorder::cycle(Core& core) {
  give_up(core, "reads the clock");
  return 0;
}

}  // namespace opkit::core
