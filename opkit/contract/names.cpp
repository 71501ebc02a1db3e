#include "opkit/contract/names.h"

#include <algorithm>
#include <charconv>

#include "opkit/soc/soc_names.h"

namespace opkit {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_plain_number(std::string_view text) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return false;
  return std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// An underscore goes before a capital whose predecessor is no capital, and before the last capital
// of a run when a lower-case letter follows it.
std::string snake_name(std::string_view op_type) {
  std::string name;
  for (size_t i = 0; i < op_type.size(); ++i) {
    const bool starts_word =
        i > 0 && is_upper(op_type[i]) &&
        (!is_upper(op_type[i - 1]) || (i + 1 < op_type.size() && is_lower(op_type[i + 1])));
    if (starts_word) name += '_';
    name += lower(op_type[i]);
  }
  return name;
}

bool is_op_type(std::string_view name) {
  return !name.empty() && name.size() <= 128 && is_upper(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_upper(c) || is_lower(c) || is_digit(c); });
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= 128 && !is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_upper(c) || is_lower(c) || is_digit(c) || c == '_'; });
}

bool is_version(std::string_view text) {
  int parts = 0;
  for (;;) {
    const size_t dot = text.find('.');
    if (!is_plain_number(text.substr(0, dot))) return false;
    ++parts;
    if (dot == text.npos) return parts == 3;
    text.remove_prefix(dot + 1);
  }
}

bool is_reserved_attr_name(std::string_view name) {
  static constexpr std::string_view kReserved[] = {
      "and",      "as",        "assert",      "async", "await",   "break",        "class",
      "continue", "def",       "del",         "elif",  "else",    "except",       "finally",
      "for",      "from",      "global",      "if",    "import",  "in",           "is",
      "lambda",   "nonlocal",  "not",         "or",    "pass",    "raise",        "return",
      "try",      "while",     "with",        "yield", "None",    "True",         "False",
      "options",  "impl_mode", "soc_version", "src",   "op_type", "code_channel", "result",
      "attr",     "os",        "shutil"};
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

const std::vector<std::string>& known_soc_names() { return listed_soc_names(); }

const std::vector<std::string>& data_class_names() {
  static const std::vector<std::string> kNames = {
      "exact_integer", "uniform", "normal",   "log_uniform", "cancellation", "near_overflow",
      "subnormal",     "special", "constant", "one_hot",     "sorted",       "saturating"};
  return kNames;
}

}  // namespace opkit
