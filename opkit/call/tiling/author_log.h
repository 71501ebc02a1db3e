// AuthorLog: what an author's host function said while it ran.
#ifndef OPKIT_CALL_TILING_AUTHOR_LOG_H_
#define OPKIT_CALL_TILING_AUTHOR_LOG_H_

#include <string>
#include <vector>

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"

namespace opkit {

// Receives opk_report_v1 calls of one thread. Not copied: the report points to it.
class AuthorLog {
 public:
  struct Line {
    int severity;      // 0 debug, 1 info, 2 warning, 3 error
    std::string code;  // "OPK-HOST-002", or empty for the author's own words
    std::string text;
  };
  static constexpr size_t kMaxLines = 10'000;  // later ones are dropped

  AuthorLog();
  AuthorLog(const AuthorLog&) = delete;
  AuthorLog& operator=(const AuthorLog&) = delete;

  const opk_report_v1* report() const { return &report_; }
  const std::vector<Line>& lines() const { return lines_; }

  // Returns the error, with the warnings and errors of the log in its trail.
  Error attach_to(Error error) const;

 private:
  opk_report_v1 report_{};
  std::vector<Line> lines_;
};

// Returns the Error of a host function that returned `code` (not OPK_OK). `function` names it: "the
// tiling function".
Error author_error(int32_t code, const std::string& op, const std::string& function,
                   const AuthorLog& log);

}  // namespace opkit

#endif  // OPKIT_CALL_TILING_AUTHOR_LOG_H_
