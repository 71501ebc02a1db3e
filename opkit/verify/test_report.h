// What a run of `opkit test <op>` found.
#ifndef OPKIT_VERIFY_TEST_REPORT_H_
#define OPKIT_VERIFY_TEST_REPORT_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/verify/failure/input_parts.h"
#include "opkit/verify/failure/shown_tiling.h"
#include "opkit/verify/proof/tiling_proof.h"
#include "opkit/verify/unfused/unfused.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

struct Failure {
  ProblemResult found;     // is as it was met
  ProblemResult smallest;  // after shrinking; its line reproduces it
  int shrink_steps = 0;
  std::vector<std::string> trace;  // where it failed: the worst element and who wrote it
  std::filesystem::path capsule;   // where it was kept (see capsule.h); empty: nowhere
  std::string after;               // line of a call without which it passes; empty: it fails alone
  std::vector<InputPart> inputs = {};      // what feeds the worst element
  std::optional<ShownTiling> tiling = {};  // shows the tiling of the smallest problem
};

struct Coverage {
  std::map<std::string, int64_t> labels;  // how many problems that ran
  std::vector<std::string> missing;       // required labels that nothing reached
};

struct TestReport {
  std::string op, version, contract_digest, plugin_digest;
  Tier tier = Tier::kCi;
  std::vector<std::string> socs;
  std::optional<size_t> column;  // the request's
  std::string column_name;       // names that column: "T=float16"
  std::vector<ProblemResult> results;
  std::vector<Failure> failures;
  Coverage coverage;
  TilingProof tiling;
  UnfusedReport unfused;
  std::vector<std::string> notes;  // manual tolerances, trivial kernels nobody told apart
  std::map<Verdict, int64_t> counts;
  int64_t resumed = 0;  // problems taken over from an earlier run
  size_t planned = 0;   // problems of the plan, of this shard
  size_t not_run = 0;   // counts problems that the run ended before
  // Somebody ended the run: what is here is a part, and `verdict` means nothing.
  bool interrupted = false;
  double seconds = 0;
  std::optional<std::string> lacks;  // what the host does not offer to confine the plugin
  Verdict verdict = Verdict::kPassed;
  std::string reason;  // explains the verdict, unless PASSED
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_TEST_REPORT_H_
