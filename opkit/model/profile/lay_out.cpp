// The frame's timeline: inputs are copied, the steps follow each other on one stream, outputs are
// copied back.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/model/file/gears.h"
#include "opkit/model/profile/live_bytes.h"
#include "opkit/model/profile/model_profile.h"

namespace opkit::model_profile {
namespace {

using model::OfflineModel;
using model::Plan;
using model::Step;
using model::StepKind;

class Timeline {
 public:
  Timeline(const OfflineModel& model, size_t gear, double link_gbps)
      : model_(model), plan_(model.plan(gear)) {
    profile_.model = model.name;
    profile_.soc = model.soc;
    profile_.gear = model::gear_values(model, gear);
    profile_.link_gbps = link_gbps;
    const model_run::ModelMemory memory = model_run::memory_of(model);
    profile_.peak_bytes = memory.weights + memory.work;
    weights_ = memory.weights;
    live_.push_back(live_bytes(plan_));
    for (const Plan& body : model.bodies) live_.push_back(live_bytes(body));
  }

  void copies(const std::vector<uint32_t>& tensors, const char* what, uint64_t& part) {
    for (const uint32_t t : tensors) {
      const auto bytes = static_cast<double>(plan_.tensors[t].bytes);
      Piece piece{.name = plan_.tensors[t].desc.name, .op = what, .row = TimelineRow::kCopies};
      piece.memory = weights_;
      piece.ns = static_cast<uint64_t>(std::ceil(bytes / profile_.link_gbps));
      part += piece.ns;
      put(std::move(piece));
    }
  }

  // Adds a kernel; the step finds `live` bytes in the block.
  void kernel(const Plan& holder, const Step& step, const KernelTimes& times, uint64_t live) {
    Piece piece{.name = step.name, .op = model_.plugins[step.plugin].op};
    piece.memory = weights_ + live;
    piece.ns = times.task_ns;
    piece.busy_ns = std::min(times.busy_ns, times.task_ns);
    piece.hbm_bytes = times.hbm_bytes;
    piece.operations = times.operations;
    piece.of_roof = times.of_roof;
    piece.block_dim = static_cast<uint32_t>(step.block_dim);
    piece.memory_bound = times.memory_bound;
    piece.on_int8 = reads_int8(holder, step);
    piece.on_cube = times.on_cube;
    piece.on_vector = times.on_vector;
    describe(holder, step, piece);
    profile_.parts.infer += piece.busy_ns;
    profile_.parts.idle += piece.ns - piece.busy_ns;
    put(std::move(piece));
  }

  // Adds a step on the host. `behind`: no kernel follows, so that it works on results.
  void on_host(const Plan& holder, const Step& step, uint64_t ns, bool behind, uint64_t live) {
    std::string op(model::name_of(step.kind));
    if (step.kind == StepKind::kHost || step.kind == StepKind::kControl)
      op += " " + step.node.op_type;
    if (step.kind == StepKind::kAicpu) op += " " + model_.plugins[step.plugin].op;
    (behind ? profile_.parts.post : profile_.parts.idle) += ns;
    Piece piece{.name = step.name, .op = op, .row = TimelineRow::kHost, .ns = ns};
    piece.memory = weights_ + live;
    describe(holder, step, piece);
    put(std::move(piece));
  }

  // A body finds the block of the plan around it as full as this one says, and its own behind it.
  uint64_t live(const model_run::RanStep& ran) const {
    return live_[ran.body == model::kNoBody ? 0 : ran.body + 1][ran.step];
  }

  ModelProfile take() { return std::move(profile_); }
  const Plan& plan() const { return plan_; }
  FrameParts& parts() { return profile_.parts; }

 private:
  void put(Piece piece) {
    piece.start_ns = now_;
    now_ += piece.ns;
    profile_.pieces.push_back(std::move(piece));
  }

  static std::vector<TensorDesc> descs_of(const Plan& holder,
                                          const std::vector<std::vector<uint32_t>>& ports) {
    std::vector<TensorDesc> descs;
    for (const auto& port : ports)
      for (const uint32_t t : port)
        if (t != model::kNoTensor) descs.push_back(holder.tensors[t].desc);
    return descs;
  }

  static void describe(const Plan& holder, const Step& step, Piece& piece) {
    piece.inputs = descs_of(holder, step.in);
    piece.outputs = descs_of(holder, step.out);
  }

  static bool reads_int8(const Plan& holder, const Step& step) {
    for (const auto& port : step.in)
      for (const uint32_t t : port)
        if (t != model::kNoTensor && holder.tensors[t].desc.dtype == DType::kInt8) return true;
    return false;
  }

  const OfflineModel& model_;
  const Plan& plan_;
  ModelProfile profile_;
  // Holds the live bytes of the gear's steps, then of each body's.
  std::vector<std::vector<uint64_t>> live_;
  uint64_t now_ = 0, weights_ = 0;
};

const Plan& plan_of(const OfflineModel& model, size_t gear, const model_run::RanStep& ran) {
  return ran.body == model::kNoBody ? model.plan(gear) : model.bodies[ran.body];
}

// Returns the first of what ran that no kernel follows.
size_t behind_kernels(const OfflineModel& model, size_t gear,
                      const std::vector<model_run::RanStep>& ran) {
  size_t behind = 0;
  for (size_t i = 0; i < ran.size(); ++i) {
    const Plan& plan = plan_of(model, gear, ran[i]);
    if (plan.steps[ran[i].step].kind == StepKind::kKernel) behind = i + 1;
  }
  return behind;
}

}  // namespace

std::string_view name_of(TimelineRow row) {
  switch (row) {
    case TimelineRow::kCopies: return "copies";
    case TimelineRow::kStream: return "stream 0";
    case TimelineRow::kHost: break;
  }
  return "host";
}

ModelProfile lay_out(const OfflineModel& model, size_t gear,
                     const std::vector<KernelTimes>& kernels,
                     const std::vector<model_run::RanStep>& ran, double link_gbps) {
  Timeline timeline(model, gear, link_gbps);
  const Plan& plan = timeline.plan();
  timeline.copies(plan.inputs, "copy to the device", timeline.parts().h2d);
  const size_t behind = behind_kernels(model, gear, ran);
  size_t next = 0;
  for (size_t i = 0; i < ran.size(); ++i) {
    const Plan& holder = plan_of(model, gear, ran[i]);
    const Step& step = holder.steps[ran[i].step];
    if (step.kind == StepKind::kKernel)
      timeline.kernel(holder, step, kernels[next++], timeline.live(ran[i]));
    else
      timeline.on_host(holder, step, ran[i].own, i >= behind, timeline.live(ran[i]));
  }
  timeline.copies(plan.outputs, "copy to the host", timeline.parts().d2h);
  ModelProfile profile = timeline.take();
  profile.frames_ns = {profile.parts.total()};
  return profile;
}

uint64_t ModelProfile::all_ns() const {
  return std::accumulate(frames_ns.begin(), frames_ns.end(), uint64_t{0});
}

ModelProfile join_frames(std::vector<ModelProfile> frames) {
  ModelProfile all = std::move(frames[0]);
  for (size_t f = 1; f < frames.size(); ++f) {
    const uint64_t begin = all.all_ns();
    for (Piece& piece : frames[f].pieces) {
      piece.start_ns += begin;
      piece.frame = static_cast<uint32_t>(f);
      all.pieces.push_back(std::move(piece));
    }
    all.frames_ns.push_back(frames[f].parts.total());
    for (const auto part : {&FrameParts::h2d, &FrameParts::infer, &FrameParts::d2h,
                            &FrameParts::post, &FrameParts::idle})
      all.parts.*part += frames[f].parts.*part;
  }
  for (const auto part : {&FrameParts::h2d, &FrameParts::infer, &FrameParts::d2h, &FrameParts::post,
                          &FrameParts::idle})
    all.parts.*part /= frames.size();
  return all;
}

}  // namespace opkit::model_profile
