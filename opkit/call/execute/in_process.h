// InProcess: runs a loaded plugin's op on the emulated chip, in this process.
#ifndef OPKIT_CALL_EXECUTE_IN_PROCESS_H_
#define OPKIT_CALL_EXECUTE_IN_PROCESS_H_

#include <memory>
#include <utility>

#include "opkit/abi/plugin.h"
#include "opkit/base/debug/source_line.h"
#include "opkit/call/execute/executor.h"
#include "opkit/call/execute/runners.h"
#include "opkit/call/plan/op_runner.h"

namespace opkit {

class InProcess : public Executor {
 public:
  // `op` belongs to a plugin that stays loaded. `digest` names its library.
  InProcess(const opk_op_v1* op, std::string digest,
            std::shared_ptr<Runners> runners = std::make_shared<Runners>())
      : op_(op), digest_(std::move(digest)), runners_(std::move(runners)) {}

  Result<Execution> run(Invocation invocation) override;
  bool covers() const override { return true; }
  Result<SharedPlan> plan(const OpContract& contract, const std::string& soc,
                          const CallFacts& facts) override;
  Result<Observation> watch(Invocation invocation, const WatchOptions& options) override;
  Result<Observation> watch_placed(PlacedCall& call, const WatchOptions& options,
                                   unsigned threads) override;
  Result<QuestionAnswer> observe(const Question& question, Invocation call) override;
  FindLine lines() const override;
  std::set<uint64_t> tiling_keys(std::optional<size_t> column = {}) const override;
  std::string digest() const override { return digest_; }
  // The schedule of invocations that name none; 0 = program order.
  void set_schedule_seed(uint64_t seed) { schedule_seed_ = seed; }

 private:
  // Poisoned.
  Result<PreparedRun> prepare(Invocation invocation);
  uint64_t seed_of(const Invocation& invocation) const {
    return invocation.schedule_seed ? invocation.schedule_seed : schedule_seed_;
  }

  const opk_op_v1* op_;
  std::string digest_;
  uint64_t schedule_seed_ = 0;
  std::shared_ptr<Runners> runners_;
  std::shared_ptr<debug::SourceLines> lines_ = std::make_shared<debug::SourceLines>();
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_IN_PROCESS_H_
