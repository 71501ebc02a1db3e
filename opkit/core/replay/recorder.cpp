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
  void number(ProgramStep& s) {
    number(s.to);
    number(s.a);
    number(s.b);
  }
  std::vector<BytePlace> take() { return std::move(places_); }

 private:
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
  program_.blocks_.resize(request.block_dim);
  catch_phantom_faults(this);
}

void ProgramRecorder::launch_ends() {
  release_phantom_faults();
  if (why_.empty() && blocks_meet()) why_ = "reads or writes bytes of GM that another block writes";
  program_.classes_.shrink_to_fit();
}

void ProgramRecorder::core_begins(Core& core) {
  core_ = &core;
  recording_ = {};
  tells_registers_ = false;
  core.reduce_value = core.reduce_index = core.gather_mask_count = options_.registers;
  core.cmp_mask[0] = core.cmp_mask[1] = options_.registers;
  for (uint16_t& count : core.merge_counts) count = static_cast<uint16_t>(options_.registers);
}

void ProgramRecorder::core_ends(Core& core) {
  core_ = nullptr;
  if (!why_.empty()) return;
  note_runs(core.block);
  if (options_.looks_for_leftovers && leaks_leftovers(recording_, core.memory_size[OPK_MEM_UB]))
    return remember("copies bytes of UB to GM that it has not written");
  merge_steps(recording_);
  join_relu(recording_);
  drop_copies(recording_);
  merge_steps(recording_);
  BlockClass done;
  done.scratch = join_steps(recording_);
  Numbering numbering;
  for (ProgramStep& step : recording_.steps) numbering.number(step);
  done.steps = std::move(recording_.steps);
  done.issued = std::move(recording_.issued);
  add_block(core.block, std::move(done), numbering.take());
}

void ProgramRecorder::add_block(uint32_t block, BlockClass&& done,
                                std::vector<BytePlace>&& places) {
  done.places = static_cast<uint32_t>(places.size());
  std::vector<BlockClass>& classes = program_.classes_;
  const uint64_t digest = done.digest();
  const auto [first, last] = by_digest_.equal_range(digest);
  const auto known = std::find_if(first, last, [&](const auto& each) {
    const BlockClass& other = classes[each.second];
    return other.steps == done.steps && other.issued == done.issued;
  });
  const auto of_class = known != last ? known->second : static_cast<uint32_t>(classes.size());
  program_.blocks_[block].of_class = of_class;
  bytes_ += places.size() * sizeof(BytePlace);
  if (of_class == classes.size()) {
    bytes_ += done.steps.size() * sizeof(ProgramStep) + done.issued.size() * sizeof(Issued);
    done.steps.shrink_to_fit();
    done.issued.shrink_to_fit();
    classes.push_back(std::move(done));
    by_digest_.emplace(digest, of_class);
  }
  places.shrink_to_fit();
  program_.blocks_[block].places = std::move(places);
  if (bytes_ > options_.most_bytes) remember("issues more than a program has room for");
}

bool ProgramRecorder::admit(Core& core, const Footprint& footprint) {
  if (footprint.kind == InstructionKind::kVector && !tells_registers_) {
    const auto& v = *static_cast<const opk_vector_v1*>(footprint.instruction);
    if (leaves_registers(v.op))
      give_up(core, "was built with older headers, which tell of no look at registers");
  }
  const Ground ground(*request_);
  if (const char* why = lower(core, footprint, ground, recording_)) give_up(core, why);
  if (recording_.steps.size() * sizeof(ProgramStep) > 4 * options_.most_bytes + (size_t{1} << 20))
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

// Copies are all that touches GM.
void ProgramRecorder::note_runs(uint32_t block) {
  for (const ProgramStep& step : recording_.steps) {
    if (step.kind != ProgramStep::Kind::kCopy && step.kind != ProgramStep::Kind::kPad) continue;
    for (const Runs& runs : touched(step)) {
      if (runs.from.in != BytePlace::In::kGm) continue;
      if (reads_.size() + writes_.size() + runs.rows > kMostRuns)
        return remember("touches GM in too many pieces");
      for (uint32_t r = 0; r < runs.rows; ++r) {
        const uint64_t begin = runs.from.at + r * static_cast<uint64_t>(runs.pitch);
        note_run(runs.write ? writes_ : reads_,
                 {begin, begin + runs.bytes, runs.from.index, block});
      }
    }
  }
}

bool ProgramRecorder::blocks_meet() {
  std::sort(writes_.begin(), writes_.end());
  // The furthest end of what some block, and of what another one, has written so far.
  for (size_t i = 1; i < writes_.size(); ++i) {
    Run &before = writes_[i - 1], &run = writes_[i];
    if (before.range != run.range || before.end <= run.begin) continue;
    if (before.block != run.block) return true;
    run.end = std::max(run.end, before.end);
  }
  for (const Run& read : reads_) {
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
  if (core_ == nullptr || !core_->fiber.holds(on_stack)) return false;
  give_up(*core_, "looks at tensors through pointers of its own");
  return true;
}

void ProgramRecorder::give_up(Core& core, const char* why) {
  remember(why);
  Fault fault;
  fault.code = kGivenUp;
  fault.resumable = false;
  core.refuse(std::move(fault));
}

void ProgramRecorder::cross_flag(Core& core, opk_sync_op, uint32_t, opk_pipe, uint32_t,
                                 const void*) {
  give_up(core, "waits for other cores, or lets them wait");
}
void ProgramRecorder::sync_all(Core& core, opk_sync_op, uint32_t, const void*) {
  give_up(core, "waits for other cores, or lets them wait");
}
void ProgramRecorder::gm_word(Core& core, opk_sync_op, const int32_t*, const void*) {
  give_up(core, "waits for other cores, or lets them wait");
}
void ProgramRecorder::buffer(Core&, const opk_buffer_v1& event, const void*) {
  const bool told = event.op == OPK_B_GET && event.buffer == 0;
  tells_registers_ |= told && event.depth == OPK_DEPTH_OF_HEADERS;
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
