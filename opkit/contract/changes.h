// Changes of a contract, each with what it asks of the version number.
#ifndef OPKIT_CONTRACT_CHANGES_H_
#define OPKIT_CONTRACT_CHANGES_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opkit {

enum class ChangeLevel {
  kNone,
  kPatch,  // callers and plugins need not notice
  kMinor,  // what was accepted stays accepted with the same results; more is possible
  kMajor,  // something that was accepted is refused now, or gives other results
};
std::string_view name_of(ChangeLevel level);

struct Change {
  ChangeLevel level;
  std::string what;  // "input bias: optional -> required"
  std::string why;   // "calls without it are refused now"
};

class Changes {
 public:
  void major(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kMajor, std::move(what), std::move(why)});
  }
  void minor(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kMinor, std::move(what), std::move(why)});
  }
  void patch(std::string what, std::string why) {
    list_.push_back({ChangeLevel::kPatch, std::move(what), std::move(why)});
  }
  std::vector<Change> take() { return std::move(list_); }

 private:
  std::vector<Change> list_;
};

// Returns "subject: from -> to".
std::string changed(const std::string& subject, const std::string& from, const std::string& to);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_CHANGES_H_
