// Executor: what runs an op for the verifier. The real one drives a plugin on the emulated chip;
// tests use ones that are wrong on purpose.
#ifndef OPKIT_VERIFY_EXECUTOR_H_
#define OPKIT_VERIFY_EXECUTOR_H_

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/contract/op_contract.h"
#include "opkit/core/modes/cover.h"
#include "opkit/layout/storage_layout.h"

namespace opkit::verify {

// The tensors of each port: one when required, at most one when optional, any number when dynamic.
using Ports = std::vector<std::vector<Tensor>>;

// As the model's author sees them: dense, whatever their format (see StorageLayout). Executors lay
// them out for the kernel, and outputs back.
struct Invocation {
  const OpContract* contract = nullptr;
  std::string soc;  // full name
  Ports inputs;     // formats and dtypes as the caller says, legal or not
  AttrValues attrs;
  unsigned threads = 1;
  bool checked = false;  // with the engine's checks of queues, pipes and races
  // Not 0: under a legal schedule other than program order (core::LaunchRequest). A correct kernel
  // gives the same bits under every seed.
  uint64_t schedule_seed = 0;
};

struct Execution {
  Ports outputs;  // poisoned before the launch
  Ports inputs;   // as the launch left them
  // Of each tensor; empty: no tensor of the call has padding.
  std::vector<std::vector<Padding>> input_padding, output_padding;
  size_t column = 0;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  std::vector<std::byte> tiling_data;
  std::vector<uint64_t> workspaces;  // bytes
};

enum class CoverKind {
  kDry,    // without data; inputs are reserved tensors (but for those that the host reads)
  kRoomy,  // the same on a chip whose memories are large enough for any tile
  kReal    // with data
};

// Which bytes of the outputs a call's launch writes.
struct CoverRun {
  core::CoverReport report;
  core::Faults faults;  // of the launch; the report then ends there
  // As the bytes lie; reserved unless kReal. Their data() are the bases of the report's ranges.
  Ports outputs;
  std::vector<std::vector<StorageLayout>> layouts;  // of the outputs
  size_t column = 0;
  uint64_t tiling_key = 0;
  uint32_t block_dim = 0;
  std::vector<std::byte> tiling_data;
};

class Executor {
 public:
  virtual ~Executor() = default;
  // An Error when the call is refused or the kernel is at fault.
  virtual Result<Execution> run(Invocation invocation) = 0;
  // Whether cover() can be asked: a function in place of a kernel has no tiling.
  virtual bool covers() const { return false; }
  // An Error when the call is refused before its launch. `answer`: see core::DryAnswer.
  virtual Result<CoverRun> cover(Invocation, CoverKind, core::DryAnswer) {
    return Error("OPK-VERIFY-063", "this executor does not run kernels", "load a plugin");
  }
  // Sentences that say which instructions of the call last wrote an element of an output, oldest
  // first; none when the executor cannot tell.
  virtual std::vector<std::string> writers_of(Invocation /*invocation*/, size_t /*port*/,
                                              size_t /*tensor*/, int64_t /*element*/) {
    return {};
  }
  // Tiling keys that kernels were built for by name, in any column; each must be reached.
  virtual std::set<uint64_t> tiling_keys() const { return {}; }
  // Identifies what is run: the digest of the plugin's library, or a name.
  virtual std::string digest() const = 0;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_EXECUTOR_H_
