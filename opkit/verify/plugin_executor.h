// PluginExecutor: runs a loaded plugin's op on the emulated chip.
#ifndef OPKIT_VERIFY_PLUGIN_EXECUTOR_H_
#define OPKIT_VERIFY_PLUGIN_EXECUTOR_H_

#include <map>
#include <memory>
#include <utility>

#include "opkit/abi/plugin.h"
#include "opkit/debug/source_line.h"
#include "opkit/runtime/op_runner.h"
#include "opkit/verify/executor.h"

namespace opkit::verify {

class PluginExecutor : public Executor {
 public:
  // `op` belongs to a plugin that stays loaded. `digest` names its library.
  PluginExecutor(const opk_op_v1* op, std::string digest) : op_(op), digest_(std::move(digest)) {}

  Result<Execution> run(Invocation invocation) override;
  bool covers() const override { return true; }
  std::set<uint64_t> tiling_keys() const override;
  Result<CoverRun> cover(Invocation invocation, CoverKind kind, core::DryAnswer answer) override;
  std::vector<std::string> writers_of(Invocation invocation, size_t port, size_t tensor,
                                      int64_t element) override;
  std::string digest() const override { return digest_; }
  // The schedule of invocations that name none; 0 = program order.
  void set_schedule_seed(uint64_t seed) { schedule_seed_ = seed; }

 private:
  Result<PreparedRun> prepare(Invocation invocation);
  Status launch(PreparedRun& prepared, const std::string& op, bool checked, uint64_t seed);
  // "op_kernel/add.cpp:48", or empty.
  std::string place(const void* pc);
  Result<OpRunner*> runner(const std::string& soc, unsigned threads);
  Result<OpRunner*> roomy_runner(const std::string& soc);

  const opk_op_v1* op_;
  std::string digest_;
  uint64_t schedule_seed_ = 0;
  std::map<std::pair<std::string, unsigned>, std::unique_ptr<OpRunner>> runners_;
  std::map<std::string, std::unique_ptr<OpRunner>> roomy_;  // by chip
  debug::SourceLines lines_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PLUGIN_EXECUTOR_H_
