// Breaks a correct kernel in one place at a time. Flags, barriers, SyncAll and copies are broken
// between the kernel and the engine; EnQue, DeQue and FreeTensor in the queue that the kernel uses,
// as if the line were not there.
#ifndef OPKIT_TESTS_FAULTS_MUTATION_H_
#define OPKIT_TESTS_FAULTS_MUTATION_H_

#include <functional>
#include <map>
#include <source_location>

#include "faulty.h"

namespace faults {

enum class Mutation { kDrop, kShiftSource, kShiftDestination, kShorten };
const char* name_of(Mutation mutation);

// A call in the kernel: its return address, or its line and column.
using SiteKey = std::pair<const void*, uint64_t>;

struct Site {
  std::string what;   // "SetFlag", "copy", ...
  std::string place;  // "file:line"
};

// What the kernel called, and which call is to be broken.
struct Mutator {
  std::map<SiteKey, Site> sites;
  SiteKey target;
  Mutation mutation = Mutation::kDrop;

  bool hits(const void* pc, const char* what);
  bool hits(const std::source_location& where, const char* what);
};
extern Mutator mutator;

// Runs `kernel` behind the mutator.
void run_mutated(opk_core* core, const std::function<void()>& kernel);

// A queue that can leave a call out. A DeQue that is left out hands on what was queued.
template <AscendC::TPosition position, int32_t depth>
class Queue : public AscendC::TQue<position, depth> {
  using Base = AscendC::TQue<position, depth>;
  using Where = std::source_location;

 public:
  template <typename T>
  OPKIT_INLINE bool EnQue(const AscendC::LocalTensor<T>& tensor, Where where = Where::current()) {
    queued_ = tensor.template ReinterpretCast<uint8_t>();
    return mutator.hits(where, "EnQue") || Base::EnQue(tensor);
  }
  template <typename T>
  OPKIT_INLINE AscendC::LocalTensor<T> DeQue(Where where = Where::current()) {
    if (mutator.hits(where, "DeQue")) return queued_.template ReinterpretCast<T>();
    return Base::template DeQue<T>();
  }
  template <typename T>
  OPKIT_INLINE void FreeTensor(AscendC::LocalTensor<T>& tensor, Where where = Where::current()) {
    if (!mutator.hits(where, "FreeTensor")) Base::FreeTensor(tensor);
  }

 private:
  AscendC::LocalTensor<uint8_t> queued_;
};

struct Tally {
  int mutants = 0, checked = 0, results = 0, either = 0;
  std::vector<std::string> survivors;  // "drop EnQue at file:line"
  std::vector<std::string> unseen;     // escape Checked, but the results differ
};

// A correct kernel. run: judges it and returns its output.
struct Subject {
  std::string name;
  std::function<opkit::core::CheckedReport(std::vector<uint8_t>* output)> run;
};

// Breaks every call of the subject in every way, and prints the tally.
Tally mutate(const Subject& subject);

// The kernels of mutation_kernels.cpp and the shipped ops.
std::vector<Subject> mutation_subjects();
std::vector<Subject> shipped_subjects();

}  // namespace faults

#endif  // OPKIT_TESTS_FAULTS_MUTATION_H_
