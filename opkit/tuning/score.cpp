#include "opkit/tuning/score.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "opkit/base/suggest.h"

namespace opkit::tuning {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr const char* kSource = "0.5 * latency + 0.3 / throughput + 0.2 * memory";
constexpr size_t kDeepest = 64;  // parentheses

std::map<std::string, double> counters_of(const TuningRow& row) {
  const double us = static_cast<double>(row.ns) / 1e3;
  return {{"latency", us},
          {"throughput", us > 0 ? 1 / us : 0},
          {"memory", static_cast<double>(row.gm_bytes) / kMiB},
          {"workspace", static_cast<double>(row.workspace_bytes) / kMiB},
          {"blocks", row.block_dim},
          {"cycles", static_cast<double>(row.cycles)},
          {"instructions", static_cast<double>(row.instructions)}};
}

class Evaluator {
 public:
  Evaluator(const std::string& text, std::map<std::string, double> counters)
      : text_(text), counters_(std::move(counters)) {}

  // Computes the score; not ok: `why` says where it ends.
  bool run(double& value) {
    value = sum();
    skip();
    if (why.empty() && at_ < text_.size())
      fail(fmt::format("'{}' is left over", text_.substr(at_)));
    return why.empty();
  }

  std::string why, unknown;

 private:
  void fail(std::string reason) {
    if (why.empty()) why = std::move(reason);
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }

  double sum() {
    double value = product();
    while (why.empty()) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        break;
    }
    return value;
  }

  double product() {
    double value = factor();
    while (why.empty()) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= factor();
      else
        break;
    }
    return value;
  }

  double factor() {
    if (++depth_ > kDeepest) return fail("its parentheses are too deep"), 0;
    const double value = plain();
    --depth_;
    return value;
  }

  double plain() {
    if (take('-')) return -factor();
    if (take('(')) {
      const double value = sum();
      if (!take(')')) fail("a ')' is missing");
      return value;
    }
    skip();
    if (at_ >= text_.size()) return fail("it ends too early"), 0;
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) || c == '.') return number();
    if (std::isalpha(c)) return counter();
    return fail(fmt::format("'{}' is not expected", text_[at_])), 0;
  }

  double number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    const auto length = static_cast<size_t>(end - (text_.c_str() + at_));
    if (length == 0) return fail("a number is missing"), 0;
    at_ += length;
    return value;
  }

  double counter() {
    size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      ++end;
    const std::string name = text_.substr(at_, end - at_);
    at_ = end;
    const auto found = counters_.find(name);
    if (found != counters_.end()) return found->second;
    unknown = name;
    return fail(fmt::format("there is no counter '{}'", name)), 0;
  }

  const std::string& text_;
  std::map<std::string, double> counters_;
  size_t at_ = 0, depth_ = 0;
};

}  // namespace

Result<Score> Score::parse(const std::string& text) {
  Score score;
  score.text_ = text == "source" ? kSource : text;
  TuningRow row;
  row.ns = 1000;
  Evaluator evaluator(score.text_, counters_of(row));
  double value = 0;
  if (evaluator.run(value)) return score;
  std::vector<std::string> names;
  for (const auto& [name, unused] : counters_of(row)) names.push_back(name);
  return Error("OPK-TUNE-006",
               fmt::format("the score '{}' cannot be read: {}", text, evaluator.why),
               evaluator.unknown.empty() ? "--score \"0.5 * latency + 0.2 * memory\""
                                         : suggest(evaluator.unknown, names));
}

double Score::of(const TuningRow& row) const {
  if (is_latency()) return static_cast<double>(row.ns);
  double value = 0;
  Evaluator(text_, counters_of(row)).run(value);
  return std::isnan(value) ? INFINITY : value;
}

}  // namespace opkit::tuning
