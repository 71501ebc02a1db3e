// What ASCENDC_TPL_* declarations say, and the tiling keys of their combinations.
#ifndef OPKIT_HOST_TEMPLATE_KEY_H_
#define OPKIT_HOST_TEMPLATE_KEY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "opkit_host/report.h"

namespace opkit_host {

// UINT values: {form, ...}. LIST: the values; RANGE: n, then n pairs first, last (both included);
// MIX: a RANGE, then single values.
inline std::vector<int64_t> expand_uints(const std::vector<int64_t>& words) {
  constexpr int64_t kList = 1;
  if (words.empty()) return {};
  if (words[0] == kList) return {words.begin() + 1, words.end()};
  std::vector<int64_t> values;
  const size_t ranges = words.size() > 1 ? static_cast<size_t>(words[1]) : 0;
  size_t at = 2;
  for (size_t i = 0; i < ranges && at + 1 < words.size(); ++i, at += 2) {
    for (int64_t value = words[at]; value <= words[at + 1]; ++value) values.push_back(value);
  }
  values.insert(values.end(),
                words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size())),
                words.end());
  return values;
}

struct TemplateParameter {
  const char* name;
  int bits;                     // of the tiling key
  std::vector<int64_t> values;  // what it may be
  bool by_place;                // packed as the place in `values`, not as the value
  bool is_type;                 // a type parameter of the kernel; the values are dtype numbers

  static TemplateParameter plain(const char* name, int bits, std::vector<int64_t> values) {
    return {name, bits, std::move(values), false, false};
  }
  static TemplateParameter type(const char* name, std::vector<int64_t> values) {
    return {name, 8, std::move(values), false, true};
  }
  static TemplateParameter listed(const char* name, int bits, const std::vector<int64_t>& words) {
    return {name, bits, expand_uints(words), true, false};
  }

  // The bits of a value, or -1 when it is not declared or does not fit.
  int64_t encode(int64_t value) const {
    const auto found = std::find(values.begin(), values.end(), value);
    const bool from_input =
        std::any_of(values.begin(), values.end(), [](int64_t v) { return v >= 0x10000; });
    if (found == values.end() && !from_input) return -1;
    const int64_t code = by_place ? found - values.begin() : value;
    return code >= 0 && code < (int64_t{1} << bits) ? code : -1;
  }
};

struct TemplateDeclaration {
  const char* kernel;
  std::vector<TemplateParameter> parameters;
};

// The values of one parameter in a selection; name "" = the kind of kernel.
struct TemplateChoice {
  const char* name;
  std::vector<int64_t> words;
  bool is_uint;

  std::vector<int64_t> values() const { return is_uint ? expand_uints(words) : words; }
};

using TemplateSelection = std::vector<TemplateChoice>;

// A combination that is compiled.
struct TemplateCombination {
  uint64_t key;
  std::vector<int64_t> values;  // in the order of the declaration
  int64_t task_type;            // opk_task_type, or -1 when the selection does not say
};

inline uint64_t refuse_template_key(const TemplateDeclaration& declaration,
                                    const std::string& why) {
  report(kError, "OPK-HOST-010",
         format("template key of '%s': %s", declaration.kernel, why.c_str()));
  return UINT64_MAX;
}

inline const TemplateChoice* choice_of(const TemplateSelection& selection,
                                       const std::string& name) {
  for (const TemplateChoice& choice : selection) {
    if (name == choice.name) return &choice;
  }
  return nullptr;
}

// Whether a selection has every value; a parameter that it does not mention may be anything.
inline bool selects(const TemplateSelection& selection, const TemplateDeclaration& declaration,
                    const std::vector<int64_t>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const TemplateChoice* choice = choice_of(selection, declaration.parameters[i].name);
    if (choice == nullptr) continue;
    const std::vector<int64_t> allowed = choice->values();
    if (std::find(allowed.begin(), allowed.end(), values[i]) == allowed.end() &&
        (allowed.empty() || allowed.back() < 0x10000)) {
      return false;
    }
  }
  return true;
}

inline uint64_t pack_values(const TemplateDeclaration& declaration,
                            const std::vector<int64_t>& values) {
  uint64_t key = 0;
  int shift = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const TemplateParameter& parameter = declaration.parameters[i];
    const int64_t code = parameter.encode(values[i]);
    if (code < 0) {
      return refuse_template_key(declaration,
                                 format("%lld is not a declared value of '%s'",
                                        static_cast<long long>(values[i]), parameter.name));
    }
    if (shift + parameter.bits > 63) {
      return refuse_template_key(declaration, "the parameters need more than 63 bits");
    }
    key |= static_cast<uint64_t>(code) << shift;
    shift += parameter.bits;
  }
  return key;
}

inline uint64_t pack_key(const TemplateDeclaration& declaration,
                         const std::vector<TemplateSelection>& selections,
                         const std::vector<int64_t>& values) {
  if (values.size() != declaration.parameters.size()) {
    return refuse_template_key(declaration, format("%zu values for %zu parameters", values.size(),
                                                   declaration.parameters.size()));
  }
  for (const TemplateSelection& selection : selections) {
    if (selects(selection, declaration, values)) return pack_values(declaration, values);
  }
  std::string text;
  for (int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return refuse_template_key(declaration, "no ASCENDC_TPL_ARGS_SEL has (" + text + ")");
}

// A value given to GET_TPL_TILING_KEY: any integer, bool or enum.
struct TemplateValue {
  template <typename T>
  TemplateValue(T v) : value(static_cast<int64_t>(v)) {}
  int64_t value;
};

inline uint64_t pack_template_key(const TemplateDeclaration& declaration,
                                  const std::vector<TemplateSelection>& selections,
                                  const std::vector<TemplateValue>& given) {
  std::vector<int64_t> values;
  for (const TemplateValue& value : given) values.push_back(value.value);
  return pack_key(declaration, selections, values);
}

// Every combination of a declaration once, in the order of the selections.
inline std::vector<TemplateCombination> enumerate_templates(
    const TemplateDeclaration& declaration, const std::vector<TemplateSelection>& selections) {
  std::vector<TemplateCombination> found;
  for (const TemplateSelection& selection : selections) {
    const TemplateChoice* kind = choice_of(selection, "");
    std::vector<std::vector<int64_t>> rows = {{}};
    for (const TemplateParameter& parameter : declaration.parameters) {
      const TemplateChoice* choice = choice_of(selection, parameter.name);
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t>& row : rows) {
        for (int64_t value : choice != nullptr ? choice->values() : parameter.values) {
          if (value >= 0x10000) continue;
          longer.push_back(row);
          longer.back().push_back(value);
        }
      }
      rows = std::move(longer);
    }
    for (const std::vector<int64_t>& row : rows) {
      const uint64_t key = pack_values(declaration, row);
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&](const TemplateCombination& c) { return c.key == key; });
      if (key == UINT64_MAX || known) continue;
      found.push_back({key, row, kind != nullptr && !kind->words.empty() ? kind->words[0] : -1});
    }
  }
  return found;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TEMPLATE_KEY_H_
