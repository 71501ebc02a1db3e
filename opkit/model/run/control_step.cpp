#include "opkit/model/run/control_step.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <optional>

#include "opkit/model/file/bodies.h"
#include "opkit/reference/control.h"

namespace opkit::model_run {
namespace {

using model::ControlPorts;
using model::ModelTensor;
using model::Step;

// One part of a tensor along an axis, which lies in several runs of bytes.
struct Part {
  int64_t runs = 1;
  size_t run = 1, stride = 0;  // bytes of a run, and from one to the next
  size_t offset = 0;
};

Part part_of(const TensorDesc& whole, size_t axis, int64_t at) {
  Part part;
  part.run = static_cast<size_t>(bits_of(whole.dtype)) / 8;
  for (size_t d = 0; d < whole.shape.rank(); ++d) {
    if (d < axis) part.runs *= whole.shape[d];
    if (d > axis) part.run *= static_cast<size_t>(whole.shape[d]);
  }
  part.stride = part.run * static_cast<size_t>(whole.shape[axis]);
  part.offset = part.run * static_cast<size_t>(at);
  return part;
}

void take_part(const Part& part, const std::byte* whole, std::byte* to) {
  for (int64_t r = 0; r < part.runs; ++r)
    std::memcpy(to + static_cast<size_t>(r) * part.run,
                whole + static_cast<size_t>(r) * part.stride + part.offset, part.run);
}

void put_part(const Part& part, const std::byte* from, std::byte* whole) {
  for (int64_t r = 0; r < part.runs; ++r)
    std::memcpy(whole + static_cast<size_t>(r) * part.stride + part.offset,
                from + static_cast<size_t>(r) * part.run, part.run);
}

// What is gone through or stacked: the whole tensor, and how.
struct Track {
  Located whole;
  reference::ScanAxis axis;

  Part part(int64_t iteration) const {
    const TensorDesc& desc = whole.tensor->desc;
    const int64_t length = desc.shape[axis.axis];
    return part_of(desc, axis.axis, axis.backwards ? length - 1 - iteration : iteration);
  }
  int64_t length() const { return whole.tensor->desc.shape[axis.axis]; }
};

class ControlRun {
 public:
  ControlRun(const Step& step, const std::vector<Located>& in, const std::vector<Located>& out,
             const std::vector<BodyEnds>& bodies, const RunBody& run)
      : step_(step), in_(in), out_(out), bodies_(bodies), run_(run) {}

  Status run_branch() {
    const size_t branch = *in_[0].at != std::byte{0} ? 0 : 1;
    OPKIT_TRY(ports_, model::control_ports(step_, *bodies_[branch].plan));
    give_captured(bodies_[branch]);
    OPKIT_CHECK(run_(branch, 0));
    for (size_t o = 0; o < out_.size(); ++o) bring(bodies_[branch].outputs[o], out_[o]);
    return {};
  }

  Status run_loop() {
    OPKIT_CHECK(begin());
    int64_t trips = std::numeric_limits<int64_t>::max();
    if (in_[0].tensor) std::memcpy(&trips, in_[0].at, sizeof trips);
    const bool asked = in_[1].tensor != nullptr;
    bool goes_on = !asked || *in_[1].at != std::byte{0};
    int64_t i = 0;
    for (; goes_on && i < trips; ++i) {
      if (limit_ && i == *limit_) return wrong_count(i + 1);
      std::memcpy(body().inputs[0], &i, sizeof i);
      OPKIT_CHECK(iterate(i));
      goes_on = !asked || *body().outputs[0] != std::byte{0};
    }
    return end(i);
  }

  Status run_scan() {
    OPKIT_CHECK(begin());
    const int64_t length = slices_[0].length();
    for (int64_t i = 0; i < length; ++i) {
      for (size_t s = 0; s < slices_.size(); ++s)
        take_part(slices_[s].part(i), slices_[s].whole.at, body().inputs[ports_.carried + s]);
      OPKIT_CHECK(iterate(i));
    }
    return end(length);
  }

 private:
  const BodyEnds& body() const { return bodies_[0]; }
  std::byte* carried(size_t c) const { return body().inputs[ports_.counters + c]; }
  uint64_t carried_bytes(size_t c) const {
    const model::Plan& plan = *body().plan;
    return plan.tensors[plan.inputs[ports_.counters + c]].bytes;
  }

  static void bring(const std::byte* from, const Located& to) {
    if (to.tensor) std::memcpy(to.at, from, to.tensor->bytes);
  }

  void give_captured(const BodyEnds& body) {
    const size_t from = in_.size() - ports_.captured, to = body.inputs.size() - ports_.captured;
    for (size_t i = 0; i < ports_.captured; ++i)
      std::memcpy(body.inputs[to + i], in_[from + i].at, in_[from + i].tensor->bytes);
  }

  Status begin() {
    OPKIT_TRY(ports_, model::control_ports(step_, *body().plan));
    give_captured(body());
    for (size_t c = 0; c < ports_.carried; ++c)
      std::memcpy(carried(c), in_[ports_.conditions + c].at, carried_bytes(c));
    for (size_t s = 0; s < ports_.slices; ++s) {
      const Located& whole = in_[ports_.conditions + ports_.carried + s];
      OPKIT_TRY(const auto axis,
                reference::scan_input(step_.node, s, whole.tensor->desc.shape.rank()));
      slices_.push_back({whole, axis});
    }
    for (size_t s = 0; s < ports_.stacked && ports_.carried + s < out_.size(); ++s) {
      const Located& whole = out_[ports_.carried + s];
      stacked_.emplace_back();
      if (!whole.tensor) continue;
      OPKIT_TRY(const auto axis,
                reference::scan_output(step_.node, s, whole.tensor->desc.shape.rank()));
      stacked_.back() = Track{whole, axis};
      limit_ = stacked_.back()->length();
    }
    return {};
  }

  Status iterate(int64_t i) {
    OPKIT_CHECK(run_(0, static_cast<uint64_t>(i)));
    for (size_t c = 0; c < ports_.carried; ++c)
      std::memcpy(carried(c), body().outputs[ports_.answers + c], carried_bytes(c));
    for (size_t s = 0; s < stacked_.size(); ++s) {
      if (!stacked_[s]) continue;
      put_part(stacked_[s]->part(i), body().outputs[ports_.answers + ports_.carried + s],
               stacked_[s]->whole.at);
    }
    return {};
  }

  Status end(int64_t iterations) {
    if (limit_ && iterations != *limit_) return wrong_count(iterations);
    for (size_t c = 0; c < ports_.carried && c < out_.size(); ++c) bring(carried(c), out_[c]);
    return {};
  }

  Error wrong_count(int64_t iterations) const {
    return Error("OPK-OM-008",
                 fmt::format("step '{}' has stacked results of {} iterations, and its body {} {}",
                             step_.name, *limit_,
                             iterations > *limit_ ? "went on behind" : "ended behind", iterations),
                 "make the model again with atc");
  }

  const Step& step_;
  const std::vector<Located>& in_;
  const std::vector<Located>& out_;
  const std::vector<BodyEnds>& bodies_;
  const RunBody& run_;
  ControlPorts ports_;
  std::vector<Track> slices_;
  std::vector<std::optional<Track>> stacked_;
  std::optional<int64_t> limit_;  // iterations that stacked results have room for
};

}  // namespace

Status run_control(const Step& step, const std::vector<Located>& in,
                   const std::vector<Located>& out, const std::vector<BodyEnds>& bodies,
                   const RunBody& run) {
  ControlRun control(step, in, out, bodies, run);
  if (step.node.op_type == "If") return control.run_branch();
  return step.node.op_type == "Loop" ? control.run_loop() : control.run_scan();
}

}  // namespace opkit::model_run
