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

 private:
  struct Database;
  explicit ResultsStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_RESULTS_STORE_H_
