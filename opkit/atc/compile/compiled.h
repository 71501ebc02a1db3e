// Compiled: what was decided of a model, and the options that ask for it.
#ifndef OPKIT_ATC_COMPILE_COMPILED_H_
#define OPKIT_ATC_COMPILE_COMPILED_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/find_candidates.h"
#include "opkit/atc/compile/precision.h"
#include "opkit/atc/compile/schedule.h"
#include "opkit/rewrite/cover/cover.h"
#include "opkit/rewrite/variants/variant.h"

namespace opkit::compile {

struct Options {
  CandidateOptions candidates;
  PrecisionOptions precision;
  std::string keep_dtype, keep_dtype_file;  // the text of that flag's file, and its name
  std::map<std::string, graph::RefTensor> calibration;  // an input of the model by name
  std::filesystem::path cost_cache;                     // see Costs
  std::string command;                                  // how the user asked, for the offline model
  bool unrolls = true;  // writes out loops of known count where that is cheaper
  std::vector<variants::VariantStep> steps;  // change the canonical form before it is covered
};

struct Compiled;

// A body of an If, a Loop or a Scan, compiled like a model of its own.
struct CompiledBody {
  size_t node = 0;               // numbers the graph's node that runs the body
  std::string attribute;         // that held it: "then_branch"
  std::optional<int64_t> trips;  // per frame, where no data decide that
  bool unfit = false;            // a branch that refuses to run at these dims
  std::shared_ptr<const Compiled> compiled;
};

// Holds everything that was decided of a model, for reports.
struct Compiled {
  // Hold the model as imported, calls of ops said by their references, and its canonical form.
  graph::Graph before, graph;
  std::map<std::string, size_t> rewrites;
  PrecisionMode precision = PrecisionMode::kOrigin;
  PrecisionOptions kept;     // include the nodes that the flag's file names
  PrecisionChanges changes;  // nodes that compute in another type than the model says
  Errors warnings;  // OPK-ATC-003, -006 and -007, what plugins did wrong, ops that are broken
  Candidates candidates;
  cover::ChosenCover cover;
  Schedule schedule;
  size_t modelled = 0, from_cache = 0;  // launches whose time was asked for
  size_t below_bound = 0;            // counts launches that were faster than their lower bound said
  size_t open_formats = 0;           // values whose format was chosen with the cover
  bool formats_are_joint = true;     // false: that was too much, every op pays for its own formats
  uint64_t saved_turns = 0;          // nanoseconds of turning that the choice of formats saves
  bool measured_chip = false;        // somebody measured figures of the chip
  std::vector<CompiledBody> bodies;  // which the schedule's model has, too

  const model::OfflineModel& model() const { return schedule.model; }
  // Returns the candidate that takes each node.
  std::vector<size_t> takers() const;
  // Sums the time of all steps; those of bodies as often as it is known that they run, else once.
  uint64_t nanoseconds() const;
  // Returns the bytes of the tensors that kernels read and write in device memory, each once per
  // kernel.
  uint64_t traffic() const;
};

// Holds a model as the choice of ops finds it: its graph, and other forms that are matched beside
// it.
struct Coverable {
  Compiled compiled;  // without candidates and cover
  OtherForms forms;
};

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_COMPILED_H_
