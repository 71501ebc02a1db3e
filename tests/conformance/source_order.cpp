// OPKIT_TEST_OBSERVER=source_order: Checked without the order that the compiler inserts. The calls
// of a test are kept apart here, as an author would by barriers; what a call issues inside has to
// be ordered by itself. Every place that is told is a line of the test, never one of opkit's
// headers.
#include <map>
#include <set>
#include <string>

#include "opkit/base/debug/source_line.h"
#include "opkit/core/machine.h"
#include "opkit/core/state/core.h"
#include "tests/unit/core/observed_launch.h"

namespace opkit::core::test {
namespace {

CheckedOptions without_help() {
  CheckedOptions options;
  options.automatic_order = false;
  options.needless_sync = false;
  return options;
}

std::string line_of(const void* pc) {
  static debug::SourceLines lines;
  return lines.text(pc);
}

void expect_author(const void* pc, const std::string& what) {
  const std::string line = line_of(pc);
  EXPECT_EQ(line.find("/opkit/include/"), std::string::npos) << what << " is placed at " << line;
}

class SourceOrder : public Judge {
 public:
  SourceOrder() : Judge(without_help()) {}

  void core_begins(Core& core) override {
    calls_[&core] = {};
    Judge::core_begins(core);
  }
  bool admit(Core& core, const Footprint& f) override {
    expect_author(f.pc, f.name);
    if (core.library == 0 && begins_call(calls_[&core], f.pc)) keep_apart(core);
    return Judge::admit(core, f);
  }
  void library_call(Core& core) override {
    expect_author(core.call_pc, core.call_name);
    calls_[&core] = {};
    keep_apart(core);
    Judge::library_call(core);
  }

 private:
  // A call outside the library: the instructions of one line, each once.
  struct Call {
    std::string line;
    std::set<const void*> issued;
  };

  static bool begins_call(Call& call, const void* pc) {
    const std::string line = line_of(pc);
    if (line == call.line && call.issued.insert(pc).second) return false;
    call = {line, {pc}};
    return true;
  }
  void keep_apart(Core& core) { barrier(core, OPK_PIPE_ALL, nullptr); }

  std::map<const Core*, Call> calls_;
};

LaunchReport launch_in_source_order(Machine& machine, LaunchRequest request) {
  SourceOrder judge;
  request.observer = &judge;
  LaunchReport report = machine.launch(request);
  for (const Fault& fault : report.faults) expect_author(fault.pc, fault.code);
  const CheckedReport found = judge.take_report(report);
  if (report.ok()) {
    EXPECT_TRUE(found.findings.empty()) << to_text(found, line_of);
  }
  return report;
}

const bool known = (more_observers()["source_order"] = launch_in_source_order, true);

}  // namespace
}  // namespace opkit::core::test
