#include "opkit/atc/compile/place_buffers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "opkit/atc/compile/weights.h"
#include "opkit/atc/memory/plan.h"

namespace opkit::compile {
namespace {

using model::kNoTensor;
using model::ModelTensor;
using model::OfflineModel;
using model::Place;
using model::Step;
using model::StepKind;

class Placer {
 public:
  Placer(std::vector<uint32_t> root, const KernelSteps& kernels, const MayWork& may,
         Schedule& schedule)
      : schedule_(schedule),
        kernels_(kernels),
        may_(may),
        root_(std::move(root)),
        sharers_(root_.size()) {
    for (uint32_t t = 0; t < root_.size(); ++t) sharers_[root_[t]].push_back(t);
  }

  Status run() {
    work_in_place();
    return place();
  }

 private:
  OfflineModel& model() { return schedule_.model; }

  struct Life {
    int64_t lower = -1, upper = 0;
  };

  // When each tensor of the block is in use, by its root.
  std::map<uint32_t, Life> lives() {
    std::map<uint32_t, Life> lives;
    const auto use = [&](const std::vector<std::vector<uint32_t>>& ports, int64_t time) {
      for (const auto& port : ports) {
        for (const uint32_t t : port) {
          if (t == kNoTensor || model().tensors[root_[t]].place != Place::kBlock) continue;
          Life& life = lives[root_[t]];
          if (life.lower < 0) life.lower = time;
          life.upper = time + 1;
        }
      }
    };
    for (size_t s = 0; s < model().steps.size(); ++s) {
      use(model().steps[s].in, static_cast<int64_t>(s));
      use(model().steps[s].out, static_cast<int64_t>(s));
    }
    return lives;
  }

  // Gives results of kernels the memory of operands that end there, where that is right.
  void work_in_place() {
    std::map<uint32_t, Life> lives = this->lives();
    for (const auto& [s, candidate] : kernels_) {
      std::set<uint32_t> taken;  // roots, in this step
      for (size_t o = 0; o < model().steps[s].out.size(); ++o) {
        const auto root = operand_for(s, *candidate, o, lives, taken);
        if (!root) continue;
        const uint32_t result = model().steps[s].out[o][0];
        share(*root, result);
        lives[*root].upper = lives[result].upper;
        taken.insert(*root);
        ++schedule_.in_place;
      }
    }
  }

  // Lets a root and whatever shares its bytes share those of another root.
  void share(uint32_t root, uint32_t other) {
    for (const uint32_t t : sharers_[other]) root_[t] = root;
    sharers_[root].insert(sharers_[root].end(), sharers_[other].begin(), sharers_[other].end());
    sharers_[other].clear();
  }

  // Returns the root of an operand whose memory output `o` may take.
  std::optional<uint32_t> operand_for(size_t s, const Candidate& candidate, size_t o,
                                      const std::map<uint32_t, Life>& lives,
                                      const std::set<uint32_t>& taken) {
    const Step& step = model().steps[s];
    if (step.kind != StepKind::kKernel || step.out[o].size() != 1) return {};
    const uint32_t result = step.out[o][0];
    const ModelTensor& out = model().tensors[result];
    if (out.place != Place::kBlock || root_[result] != result) return {};
    for (size_t p = 0; p < step.in.size(); ++p) {
      if (step.in[p].size() != 1) continue;
      const uint32_t root = root_[step.in[p][0]];
      const ModelTensor& in = model().tensors[root];
      if (in.place != Place::kBlock || in.bytes != out.bytes || taken.count(root) > 0) continue;
      if (lives.at(root).upper != static_cast<int64_t>(s) + 1 || uses(step, root) != 1) continue;
      if (is_free(*candidate.plan, o, p) && may_(candidate, {o, p})) return root;
    }
    return {};
  }

  size_t uses(const Step& step, uint32_t root) const {
    size_t uses = 0;
    for (const auto& port : step.in)
      uses += static_cast<size_t>(
          std::count_if(port.begin(), port.end(), [&](uint32_t t) { return root_[t] == root; }));
    return uses;
  }

  // Tells whether the contract does not say otherwise: an output that replaces an input takes that
  // one.
  static bool is_free(const CallPlan& plan, size_t o, size_t p) {
    if (plan.contract->inputs[p].written) return false;
    for (size_t other = 0; other < plan.output_layouts.size(); ++other) {
      const auto input = plan.replaced_by(other);
      if (input && (other == o) != (*input == p)) return false;
    }
    return true;
  }

  // Returns the tensors that get a buffer each, in the order of their buffers.
  std::vector<uint32_t> add_tensor_buffers() {
    std::vector<uint32_t> roots;
    for (const auto& [root, life] : lives()) {
      const ModelTensor& tensor = model().tensors[root];
      roots.push_back(root);
      schedule_.buffers.push_back(
          {tensor.desc.name, life.lower, life.upper, room_for(tensor.bytes)});
    }
    return roots;
  }

  // Returns the steps whose workspaces do.
  std::vector<size_t> add_workspace_buffers() {
    std::vector<size_t> steps;
    for (size_t s = 0; s < model().steps.size(); ++s) {
      const Step& step = model().steps[s];
      if (step.workspace_bytes == 0) continue;
      steps.push_back(s);
      const auto time = static_cast<int64_t>(s);
      schedule_.buffers.push_back(
          {"workspace of " + step.name, time, time + 1, room_for(step.workspace_bytes)});
    }
    return steps;
  }

  Status place() {
    const std::vector<uint32_t> roots = add_tensor_buffers();
    const std::vector<size_t> steps = add_workspace_buffers();
    OPKIT_TRY(schedule_.memory, memory_plan::plan(schedule_.buffers));
    const memory_plan::Offsets& offsets = schedule_.memory.offsets;
    for (size_t i = 0; i < roots.size(); ++i) model().tensors[roots[i]].offset = offsets[i];
    for (size_t i = 0; i < steps.size(); ++i)
      model().steps[steps[i]].workspace = offsets[roots.size() + i];
    model().block_bytes = schedule_.memory.total;
    model().block_bound = schedule_.memory.bound;
    for (uint32_t t = 0; t < root_.size(); ++t) {
      model().tensors[t].offset = model().tensors[root_[t]].offset;
    }
    return {};
  }

  Schedule& schedule_;
  const KernelSteps& kernels_;
  const MayWork& may_;
  std::vector<uint32_t> root_;
  // Lists for each root the tensors that share it, itself included.
  std::vector<std::vector<uint32_t>> sharers_;
};

}  // namespace

Status place_buffers(std::vector<uint32_t> root, const KernelSteps& kernels, const MayWork& may,
                     Schedule& schedule) {
  return Placer(std::move(root), kernels, may, schedule).run();
}

}  // namespace opkit::compile
