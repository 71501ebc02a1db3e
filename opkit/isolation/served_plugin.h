// ServedPlugin: the plugin that a worker has loaded, and its answers.
#ifndef OPKIT_ISOLATION_SERVED_PLUGIN_H_
#define OPKIT_ISOLATION_SERVED_PLUGIN_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "opkit/base/debug/source_line.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/call/plan/workspace.h"
#include "opkit/isolation/author_call.h"
#include "opkit/isolation/channel.h"
#include "opkit/isolation/incident.h"
#include "opkit/isolation/worker_memory.h"
#include "registry/plugin_tables.h"

namespace opkit::isolation {

class ServedPlugin {
 public:
  ServedPlugin(Incident& page, WorkerMemory& memory) : page_(page), memory_(memory) {}
  // Loads the library; the rows of its tables. Errors: OPK-PLUGIN-001 to -005, of the contract.
  Result<std::string> load(const OpenRequest& request);
  Result<std::string> answer(const Request& request);

 private:
  // The last call, as it lies.
  struct Placed {
    uint64_t plan = 0;
    Placement at;
    PlacedCall call;
  };

  Result<std::string> call(std::string_view body);
  Result<std::string> keep_plan(std::string_view body);
  Result<std::string> forget_plan(std::string_view body);
  Result<std::string> launch(std::string_view body);
  Result<std::string> observe(std::string_view body);
  Result<std::string> place(std::string_view body);
  Result<std::string> unload();

  AuthorAnswer tile(const AuthorCall& asked);
  // Returns the InferShape function, or InferDataType.
  AuthorAnswer infer(const AuthorCall& asked, bool shape);
  Result<std::shared_ptr<const CallPlan>> plan(uint64_t number) const;
  Result<OpRunner*> runner(const std::string& soc, const OnMachine& on);
  // keep_workspace: it holds what earlier calls left; else poison.
  Result<PlacedCall*> placed(uint64_t plan, const Placement& at, bool keep_workspace = false);
  Result<std::byte*> workspace_of(const CallPlan& plan);

  Incident& page_;
  WorkerMemory& memory_;
  registry::SharedLibrary library_;
  registry::PluginTables tables_;
  OpContract contract_;
  std::map<uint64_t, std::shared_ptr<const CallPlan>> plans_;
  std::map<std::tuple<std::string, uint32_t, uint32_t>, std::unique_ptr<OpRunner>> runners_;
  Workspace workspace_;  // the largest so far: calls have the end of it
  std::optional<Placed> placed_;
  std::unique_ptr<GuardedBytes> tiling_;
  debug::SourceLines lines_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SERVED_PLUGIN_H_
