#include "opkit/model/profile/live_bytes.h"

#include <algorithm>
#include <utility>

namespace opkit::model_profile {
namespace {

using model::kNoTensor;
using model::ModelTensor;
using model::Plan;
using model::Step;

struct Life {
  size_t first = 0, last = 0;  // steps
  bool lives = false;

  void at(size_t step) {
    first = lives ? std::min(first, step) : step;
    last = lives ? std::max(last, step) : step;
    lives = true;
  }
};

bool overlap(const ModelTensor& a, const ModelTensor& b) {
  return a.place == b.place && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

class Lives {
 public:
  explicit Lives(const Plan& plan) : plan_(plan), lives_(plan.tensors.size()) {
    for (size_t s = 0; s < plan.steps.size(); ++s) {
      meet(plan.steps[s].in, s);
      meet(plan.steps[s].out, s);
      for (const auto& port : plan.steps[s].out) {
        for (const uint32_t t : port) {
          if (t != kNoTensor) written_.emplace_back(t, s);
        }
      }
    }
    for (size_t t = 0; t < lives_.size(); ++t) begin_view(t);
  }

  const Life& of(size_t tensor) const { return lives_[tensor]; }

 private:
  void meet(const std::vector<std::vector<uint32_t>>& ports, size_t step) {
    for (const auto& port : ports) {
      for (const uint32_t t : port) {
        if (t != kNoTensor) lives_[t].at(step);
      }
    }
  }

  // No step writes a view: it begins with what was written last where it lies.
  void begin_view(size_t tensor) {
    Life& life = lives_[tensor];
    size_t begin = life.first;
    for (const auto& [other, step] : written_) {
      if (other == tensor) return;
      if (step < life.first && overlap(plan_.tensors[tensor], plan_.tensors[other])) begin = step;
    }
    life.first = begin;
  }

  const Plan& plan_;
  std::vector<Life> lives_;
  // Holds tensors and the steps that write them, in order.
  std::vector<std::pair<uint32_t, size_t>> written_;
};

using Spans = std::vector<std::pair<uint64_t, uint64_t>>;  // begin and end of bytes

uint64_t covered(Spans spans) {
  std::sort(spans.begin(), spans.end());
  uint64_t bytes = 0, end = 0;
  for (const auto& [from, to] : spans) {
    bytes += to > end ? to - std::max(from, end) : 0;
    end = std::max(end, to);
  }
  return bytes;
}

}  // namespace

std::vector<uint64_t> live_bytes(const Plan& plan) {
  const Lives lives(plan);
  std::vector<Spans> spans(plan.steps.size());
  for (size_t t = 0; t < plan.tensors.size(); ++t) {
    const ModelTensor& tensor = plan.tensors[t];
    const Life& life = lives.of(t);
    if (tensor.place != model::Place::kBlock || !life.lives) continue;
    for (size_t s = life.first; s <= life.last; ++s)
      spans[s].emplace_back(tensor.offset, tensor.offset + tensor.bytes);
  }
  std::vector<uint64_t> bytes;
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    if (step.workspace_bytes > 0)
      spans[s].emplace_back(step.workspace, step.workspace + step.workspace_bytes);
    bytes.push_back(covered(std::move(spans[s])));
  }
  return bytes;
}

}  // namespace opkit::model_profile
