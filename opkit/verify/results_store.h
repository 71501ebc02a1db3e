// ResultsStore: verdicts on disk, so that a run resumes and past failures come first. SQLite stays
// in results_store.cpp.
#ifndef OPKIT_VERIFY_RESULTS_STORE_H_
#define OPKIT_VERIFY_RESULTS_STORE_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/verify/verdict.h"

namespace opkit::verify {

// What a store took over from another one: rows that are new here, or later.
struct TakenOver {
  int64_t judged = 0, mutants = 0;
};

class ResultsStore {
 public:
  // Opens or creates <directory>/results.sqlite. Error: OPK-VERIFY-040.
  static Result<ResultsStore> open(const std::filesystem::path& directory);
  ResultsStore(ResultsStore&&) noexcept;
  ResultsStore& operator=(ResultsStore&&) noexcept;
  ~ResultsStore();

  // Remembers a verdict; a failure is remembered until the same line passes.
  void record(const std::string& op, const std::string& contract, const std::string& plugin,
              const ProblemResult& result);
  // Returns the result of a problem that was judged with these very files and did not fail.
  std::optional<ProblemResult> judged(const std::string& contract, const std::string& plugin,
                                      const std::string& line) const;
  // Remembers the failure of this line no longer.
  void forget(const std::string& op, const std::string& line);
  // Returns the lines of problems that failed last time, newest first.
  std::vector<std::string> failures(const std::string& op) const;

  // Remembers what became of a mutant; `digest` is of all that decides it.
  void record_mutant(const std::string& op, const std::string& digest, const std::string& fate);
  std::optional<std::string> mutant(const std::string& digest) const;

  // Takes over what the store of another folder holds, the capsules beside it as well; of two
  // verdicts on one problem the later one stays. Errors: OPK-VERIFY-043 the folder has no store, or
  // one that cannot be read, or is this one; OPK-VERIFY-040 a capsule that cannot be copied.
  Result<TakenOver> take_over(const std::filesystem::path& directory);

 private:
  struct Database;
  explicit ResultsStore(std::unique_ptr<Database> database);
  Status execute(const char* sql, const std::filesystem::path& from);
  std::unique_ptr<Database> database_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_RESULTS_STORE_H_
