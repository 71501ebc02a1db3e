// OutOfProcess: runs a plugin's op on the emulated chip, in a process of its own. The host plans,
// makes the tensors and judges; the plugin's code and the engine that it calls run in the worker.
#ifndef OPKIT_ISOLATION_OUT_OF_PROCESS_H_
#define OPKIT_ISOLATION_OUT_OF_PROCESS_H_

#include <memory>
#include <string>
#include <utility>

#include "opkit/call/execute/executor.h"
#include "opkit/isolation/call_memory.h"
#include "opkit/isolation/session.h"

namespace opkit::isolation {

class OutOfProcess : public Executor {
 public:
  // `digest` names the plugin's library.
  OutOfProcess(std::shared_ptr<Session> session, std::string digest)
      : session_(std::move(session)), digest_(std::move(digest)) {}

  Result<Execution> run(Invocation invocation) override;
  bool covers() const override { return true; }
  Result<SharedPlan> plan(const OpContract& contract, const std::string& soc,
                          const CallFacts& facts) override;
  Result<Observation> watch(Invocation invocation, const WatchOptions& options) override;
  // The tensors are copied to the memory that the worker sees, and what it wrote back.
  Result<Observation> watch_placed(PlacedCall& call, const WatchOptions& options,
                                   unsigned threads) override;
  Result<QuestionAnswer> observe(const Question& question, Invocation call) override;
  FindLine lines() const override;
  // The next call starts another worker.
  bool forget() override;
  bool watch_unset(bool watched) override;
  std::set<uint64_t> tiling_keys(std::optional<size_t> column = {}) const override;
  std::string digest() const override { return digest_; }
  // The schedule of invocations that name none; 0 = program order.
  void set_schedule_seed(uint64_t seed) { schedule_seed_ = seed; }

 private:
  // A plan and its tensors, as they are stored.
  struct Bound {
    SharedPlan plan;
    uint64_t number = 0;
    Ports stored, initial;
    Placement at;
    std::shared_ptr<const Lease> lease;
  };
  Result<Bound> bind(Invocation invocation);
  Result<Bound> bind(const PlacedCall& call);
  void make_in_place(Invocation& invocation, const Bound& bound);
  CallMemory memory_of(const Bound& bound) const;
  LaunchAsked asked_of(const Bound& bound, const WatchOptions& options, unsigned threads,
                       uint64_t schedule_seed) const;
  // Returns what an answered launch was seen to do.
  Result<Observation> seen_in(const std::string& answer, const SocSpec& soc) const;
  Result<std::string> launch(const Bound& bound, Ask ask, const std::string& body, const Work& work,
                             const CallMemory& memory);
  Result<std::string> ask_on_tensors(QuestionAsked asked, Invocation call);
  Result<SharedPlan> plan_of(const Invocation& invocation);
  uint64_t seed_of(uint64_t schedule_seed) const;

  std::shared_ptr<Session> session_;
  std::string digest_;
  uint64_t schedule_seed_ = 0;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_OUT_OF_PROCESS_H_
