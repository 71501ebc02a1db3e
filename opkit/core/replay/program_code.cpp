#include "opkit/core/replay/program_code.h"

#include <map>
#include <utility>

#include "opkit/core/replay/loop_builder.h"

namespace opkit::core {

using GroupKind = ProgramStep::Kind;

class ProgramCompiler {
 public:
  ProgramCompiler(const LaunchProgram& program, LoopHost host, uint64_t most_bytes)
      : program_(program), host_(host), most_bytes_(most_bytes) {}

  std::shared_ptr<const ProgramCode> run(std::string& why) {
    made_.reset(new ProgramCode());
    for (uint32_t c = 0; c < program_.classes().size(); ++c) compile_class(c);
    if (made_->groups_.empty()) return nullptr;
    made_->pages_ = CodePages::make(code_);
    if (!made_->pages_) {
      why = "this host refuses memory for machine code";
      return nullptr;
    }
    for (size_t i = 0; i < made_->groups_.size(); ++i) {
      const uint8_t* code = made_->pages_->begin() + loops_[loop_of_group_[i]].code.at;
      made_->groups_[i].run = reinterpret_cast<LoopFn>(reinterpret_cast<uintptr_t>(code));
    }
    made_->counts_.loops = loops_.size();
    return made_;
  }

 private:
  struct Loop {
    LoopBody body;
    LoopPart code;
  };

  void compile_class(uint32_t number) {
    const std::vector<ProgramStep>& steps = program_.classes()[number].steps;
    std::vector<const std::vector<BytePlace>*> blocks;
    for (const LaunchProgram::Block& block : program_.blocks()) {
      if (block.of_class == number) blocks.push_back(&block.places);
    }
    const SamePlaces same(blocks);
    std::vector<uint32_t> of_step(steps.size(), ProgramCode::kNone);
    for (size_t i = 0; i < steps.size();) {
      size_t end = i + 1;
      while (end < steps.size() && steps[end].joins) ++end;
      if (steps[i].kind == GroupKind::kRows) {
        ++made_->counts_.groups;
        if (is_worth_it(steps[i], end - i)) of_step[i] = compile(&steps[i], &steps[0] + end, same);
      }
      i = end;
    }
    made_->group_of_step_.push_back(std::move(of_step));
  }

  // One pass over its elements is what a single step needs, unless it is called for each row.
  static bool is_worth_it(const ProgramStep& first, size_t steps) {
    return steps > 1 || first.fold_row != 0;
  }

  uint32_t compile(const ProgramStep* first, const ProgramStep* end, const SamePlaces& same) {
    static constexpr LoopForm kForms[] = {{true, true}, {false, true}, {false, false}};
    for (const LoopForm& form : kForms) {
      std::optional<GroupLoop> loop = loop_of(first, end, same, form);
      if (!loop) return ProgramCode::kNone;
      const size_t number = number_of(std::move(loop->body));
      if (loops_[number].code.elements == 0) continue;
      ++made_->counts_.compiled;
      loop_of_group_.push_back(number);
      made_->groups_.push_back({nullptr, loops_[number].code.elements, std::move(loop->places)});
      return static_cast<uint32_t>(made_->groups_.size() - 1);
    }
    return ProgramCode::kNone;
  }

  // Groups that do the same have one loop.
  size_t number_of(LoopBody&& body) {
    const uint64_t digest = body.digest();
    const auto [first, last] = by_digest_.equal_range(digest);
    for (auto it = first; it != last; ++it) {
      if (loops_[it->second].body == body) return it->second;
    }
    Loop loop;
    loop.body = std::move(body);
    if (code_.size() < most_bytes_) loop.code = append_loop(loop.body, host_, code_);
    return add(digest, std::move(loop));
  }
  size_t add(uint64_t digest, Loop&& loop) {
    loops_.push_back(std::move(loop));
    by_digest_.emplace(digest, loops_.size() - 1);
    return loops_.size() - 1;
  }

  const LaunchProgram& program_;
  const LoopHost host_;
  const uint64_t most_bytes_;
  std::shared_ptr<ProgramCode> made_;
  std::vector<uint8_t> code_;
  std::vector<Loop> loops_;
  std::vector<size_t> loop_of_group_;
  std::multimap<uint64_t, size_t> by_digest_;
};

uint64_t ProgramCode::bytes() const {
  uint64_t bytes = sizeof *this + pages_->bytes();
  for (const Group& group : groups_)
    bytes += sizeof group + group.places.capacity() * sizeof(uint32_t);
  for (const auto& of_step : group_of_step_) bytes += of_step.capacity() * sizeof(uint32_t);
  return bytes;
}

std::shared_ptr<const ProgramCode> ProgramCode::make(const LaunchProgram& program, LoopHost host,
                                                     uint64_t most_bytes, std::string& why) {
  if (host == LoopHost::kNone) {
    why = loop_host() == LoopHost::kNone ? "opkit has no machine code for this host"
                                         : "OPKIT_REPLAY is passes";
    return nullptr;
  }
  return ProgramCompiler(program, host, most_bytes).run(why);
}

}  // namespace opkit::core
