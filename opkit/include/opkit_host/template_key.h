// GET_TPL_TILING_KEY: the tiling key of a combination that ASCENDC_TPL_SEL lists.
#ifndef OPKIT_HOST_TEMPLATE_KEY_H_
#define OPKIT_HOST_TEMPLATE_KEY_H_

#include <string>
#include <vector>

#include "opkit_host/report.h"
#include "opkit_host/template_words.h"

namespace opkit_host {

inline uint64_t refuse_template_key(const char* kernel, const std::string& why) {
  report(kError, "OPK-HOST-010", format("template key of '%s': %s", kernel, why.c_str()));
  return UINT64_MAX;
}

inline std::string text_of(TemplateSpan choice) {
  const TemplateValues values(choice);
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t value = values[i];
    const std::string word =
        !is_reference(value) || values.form() == TemplateForm::kList ? std::to_string(value)
        : value >= kTemplateOutput ? "output " + std::to_string(value - kTemplateOutput)
                                   : "input " + std::to_string(value - kTemplateInput);
    text += (i ? ", " : "") + word;
  }
  return text;
}

// "(D_T_X: 0, 1; TILES: 1, 8)": what one selection lists.
inline std::string selection_text(TemplateSpan selection) {
  std::string text;
  const size_t count = selection.headers(TemplateWord::kParameter);
  for (size_t p = 0; p < count; ++p) {
    const TemplateSpan choice = selection.at(TemplateWord::kParameter, p);
    if (choice.words[0].form == TemplateForm::kKernelType) continue;
    text += std::string(text.empty() ? "" : "; ") + choice.words[0].name + ": " + text_of(choice);
  }
  return "(" + text + ")";
}

inline std::string legal_text(TemplateSpan selections) {
  constexpr size_t kShown = 8;
  const size_t count = selections.headers(TemplateWord::kSelection);
  std::string text;
  for (size_t s = 0; s < count && s < kShown; ++s) {
    text += (s ? ", " : "") + selection_text(selections.at(TemplateWord::kSelection, s));
  }
  return count > kShown ? text + " and " + std::to_string(count - kShown) + " more" : text;
}

inline uint64_t pack_key(const char* kernel, TemplateSpan declaration, TemplateSpan selections,
                         const std::vector<int64_t>& values) {
  const size_t count = declaration.headers(TemplateWord::kParameter);
  if (values.size() != count) {
    return refuse_template_key(kernel,
                               format("%zu values for %zu parameters", values.size(), count));
  }
  size_t failed = 0;
  const uint64_t key = pack_words(declaration, values.data(), failed);
  if (key == UINT64_MAX) {
    const TemplateSpan parameter = declaration.at(TemplateWord::kParameter, failed);
    if (TemplateValues(parameter).admits(values[failed])) {
      return refuse_template_key(
          kernel, format("'%s' = %lld does not fit its %lld bits, or all parameters need %lld "
                         "bits of 63",
                         parameter.words[0].name, static_cast<long long>(values[failed]),
                         static_cast<long long>(parameter.words[0].value),
                         static_cast<long long>(key_bits(declaration))));
    }
    return refuse_template_key(kernel, format("%lld is not a declared value of '%s' (%s)",
                                              static_cast<long long>(values[failed]),
                                              parameter.words[0].name, text_of(parameter).c_str()));
  }
  if (is_selected(declaration, selections, values.data())) return key;
  std::string text;
  for (int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return refuse_template_key(
      kernel, "no ASCENDC_TPL_ARGS_SEL has (" + text + "); there are " + legal_text(selections));
}

// A value given to GET_TPL_TILING_KEY: any integer, bool or enum.
struct TemplateValue {
  template <typename T>
  TemplateValue(T v) : value(static_cast<int64_t>(v)) {}
  int64_t value;
};

template <size_t D, size_t S>
uint64_t pack_template_key(const TemplateDeclaration<D>& declaration,
                           const TemplateSelections<S>& selections,
                           const std::vector<TemplateValue>& given) {
  std::vector<int64_t> values;
  for (const TemplateValue& value : given) values.push_back(value.value);
  return pack_key(declaration.kernel, span_of(declaration), span_of(selections), values);
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TEMPLATE_KEY_H_
