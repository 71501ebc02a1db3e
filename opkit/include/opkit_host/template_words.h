// ASCENDC_TPL_* declarations as constants of the compiler, and the combinations and tiling keys
// that they make. The kernel's build enumerates them while it is compiled, the host packs keys with
// the same functions when tiling runs.
//
// A declaration or a set of selections is one flat array of words: a header for every parameter
// (and every selection), followed by what was written behind it.
#ifndef OPKIT_HOST_TEMPLATE_WORDS_H_
#define OPKIT_HOST_TEMPLATE_WORDS_H_

#include <cstddef>
#include <cstdint>

namespace opkit_host {

// ASCENDC_TPL_INPUT(i) and ASCENDC_TPL_OUTPUT(i) in a list of values.
constexpr int64_t kTemplateInput = 0x10000, kTemplateOutput = 0x20000;
constexpr size_t kMaxTemplateRows = 4096;

enum class TemplateForm : uint8_t {
  kNumber,      // the values as they stand
  kFormat,      // takes values as they stand, too; a reference means the tensor's format
  kType,        // a type parameter; the values are dtype numbers
  kList,        // the values of ASCENDC_TPL_UI_LIST, _RANGE or _MIX; the key holds their place
  kKernelType,  // belongs to a selection: the launch's opk_task_type
};

struct TemplateWord {
  enum Kind : uint8_t { kValue, kParameter, kSelection };
  int64_t value = 0;           // counts a kParameter's bits in the key
  const char* name = nullptr;  // names a kParameter
  Kind kind = kValue;
  TemplateForm form = TemplateForm::kNumber;  // belongs to a kParameter
};

template <size_t N>
struct TemplateWords {
  TemplateWord words[N];
  static constexpr size_t count = N;
};

// The words of one parameter. Brace initialisation allows the comma that sources leave at the end.
template <size_t N>
struct TemplateChoice : TemplateWords<N> {
  template <typename... T>
  constexpr TemplateChoice(const char* name, int64_t bits, TemplateForm form, T... values)
      : TemplateWords<N>{{{bits, name, TemplateWord::kParameter, form},
                          {static_cast<int64_t>(values), nullptr, TemplateWord::kValue,
                           TemplateForm::kNumber}...}} {}
};
template <typename... T>
TemplateChoice(const char*, int64_t, TemplateForm, T...) -> TemplateChoice<1 + sizeof...(T)>;

// Parts one after the other, behind a header when `marked`.
template <size_t N, bool marked>
struct TemplateJoin : TemplateWords<N> {
  template <typename... Parts>
  constexpr explicit TemplateJoin(const Parts&... parts) : TemplateWords<N>{} {
    size_t at = 0;
    if (marked) this->words[at++].kind = TemplateWord::kSelection;
    (append(parts, at), ...);
  }

 private:
  template <typename Part>
  constexpr void append(const Part& part, size_t& at) {
    for (const TemplateWord& word : part.words) this->words[at++] = word;
  }
};

template <size_t N>
struct TemplateDeclaration : TemplateJoin<N, false> {
  const char* kernel;
  template <typename... Parts>
  constexpr explicit TemplateDeclaration(const char* name, const Parts&... parts)
      : TemplateJoin<N, false>(parts...), kernel(name) {}
};
template <typename... Parts>
TemplateDeclaration(const char*, const Parts&...) -> TemplateDeclaration<(Parts::count + ...)>;

template <size_t N>
struct TemplateSelection : TemplateJoin<N, true> {
  using TemplateJoin<N, true>::TemplateJoin;
};
template <typename... Parts>
TemplateSelection(const Parts&...) -> TemplateSelection<(Parts::count + ... + 1)>;

template <size_t N>
struct TemplateSelections : TemplateJoin<N, false> {
  using TemplateJoin<N, false>::TemplateJoin;
};
template <typename... Parts>
TemplateSelections(const Parts&...) -> TemplateSelections<(Parts::count + ...)>;

// A part of a word array.
struct TemplateSpan {
  const TemplateWord* words = nullptr;
  size_t count = 0;

  // Words from `from` up to the next header of this kind.
  constexpr TemplateSpan part(size_t from, TemplateWord::Kind kind) const {
    size_t end = from + 1;
    while (end < count && words[end].kind != kind) ++end;
    return {words + from, end - from};
  }
  constexpr size_t headers(TemplateWord::Kind kind) const {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) found += words[i].kind == kind;
    return found;
  }
  // Returns the place-th part that starts with such a header; empty when there are fewer.
  constexpr TemplateSpan at(TemplateWord::Kind kind, size_t place) const {
    for (size_t i = 0; i < count; ++i) {
      if (words[i].kind == kind && place-- == 0) return part(i, kind);
    }
    return {};
  }
};

template <size_t N>
constexpr TemplateSpan span_of(const TemplateWords<N>& words) {
  return {words.words, N};
}

constexpr bool same_name(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// The dtype and format numbers of a column; without one (host) there is none, and references have
// no value.
struct TemplateColumn {
  const int64_t* dtypes = nullptr;  // inputs first
  const int64_t* formats = nullptr;
  size_t inputs = 0, outputs = 0;

  constexpr int64_t resolve(int64_t reference, TemplateForm form) const {
    const bool output = reference >= kTemplateOutput;
    const size_t index =
        static_cast<size_t>(reference - (output ? kTemplateOutput : kTemplateInput));
    if (index >= (output ? outputs : inputs)) return -1;
    return (form == TemplateForm::kFormat ? formats : dtypes)[index + (output ? inputs : 0)];
  }
};

constexpr bool is_reference(int64_t value) { return value >= kTemplateInput; }

// What one parameter may be, in a declaration or a selection.
class TemplateValues {
 public:
  constexpr explicit TemplateValues(TemplateSpan choice) : choice_(choice) {}

  constexpr TemplateForm form() const { return choice_.words[0].form; }
  constexpr bool none() const { return choice_.count == 0; }

  constexpr size_t size() const {
    if (form() != TemplateForm::kList) return choice_.count - 1;
    if (raw_count() == 0) return 0;
    if (raw(0) == kListForm) return raw_count() - 1;
    size_t total = 0;
    for (size_t r = 0; r < ranges(); ++r) total += range_size(r);
    return total + singles();
  }

  constexpr int64_t operator[](size_t place) const {
    if (form() != TemplateForm::kList) return choice_.words[1 + place].value;
    if (raw(0) == kListForm) return raw(1 + place);
    for (size_t r = 0; r < ranges(); ++r) {
      if (place < range_size(r)) return raw(2 + 2 * r) + static_cast<int64_t>(place);
      place -= range_size(r);
    }
    return raw(2 + 2 * ranges() + place);
  }

  // Returns the reference among the values, 0 when there is none.
  constexpr int64_t reference() const {
    for (size_t i = 0; form() != TemplateForm::kList && i < size(); ++i) {
      if (is_reference((*this)[i])) return (*this)[i];
    }
    return 0;
  }

  // -1: not listed.
  constexpr int64_t place_of(int64_t value) const {
    for (size_t i = 0; i < size(); ++i) {
      if ((*this)[i] == value) return static_cast<int64_t>(i);
    }
    return -1;
  }
  // A list of nothing but a reference admits whatever the tensor has.
  constexpr bool admits(int64_t value) const {
    return place_of(value) >= 0 || (size() == 1 && reference() != 0);
  }

 private:
  // The first word of a list of numbers: RANGE is 0, LIST 1, MIX 2. RANGE and MIX: the number of
  // ranges, first and last of each (both included), then single values.
  static constexpr int64_t kListForm = 1;

  constexpr size_t raw_count() const { return choice_.count - 1; }
  constexpr int64_t raw(size_t i) const { return choice_.words[1 + i].value; }
  constexpr size_t ranges() const {
    const size_t pairs = raw_count() > 2 ? (raw_count() - 2) / 2 : 0;
    const size_t said = raw_count() > 1 && raw(1) > 0 ? static_cast<size_t>(raw(1)) : 0;
    return said < pairs ? said : pairs;
  }
  constexpr size_t range_size(size_t r) const {
    const int64_t first = raw(2 + 2 * r), last = raw(3 + 2 * r);
    return last < first ? 0 : static_cast<size_t>(last - first) + 1;
  }
  constexpr size_t singles() const {
    const size_t used = 2 + 2 * ranges();
    return raw_count() > used ? raw_count() - used : 0;
  }

  TemplateSpan choice_;
};

// Returns the choice of a name in a selection; empty when the selection does not mention it.
constexpr TemplateSpan choice_of(TemplateSpan selection, const char* name) {
  for (size_t i = 0; i < selection.count; ++i) {
    const TemplateWord& word = selection.words[i];
    if (word.kind == TemplateWord::kParameter && word.form != TemplateForm::kKernelType &&
        same_name(word.name, name)) {
      return selection.part(i, TemplateWord::kParameter);
    }
  }
  return {};
}

// opk_task_type, or -1 when the selection does not say.
constexpr int64_t kernel_type_of(TemplateSpan selection) {
  for (size_t i = 0; i + 1 < selection.count; ++i) {
    if (selection.words[i].kind == TemplateWord::kParameter &&
        selection.words[i].form == TemplateForm::kKernelType) {
      return selection.words[i + 1].value;
    }
  }
  return -1;
}

// Returns the bits of a value in the key, or -1 when it does not fit or is not declared.
constexpr int64_t encode(TemplateSpan parameter, int64_t value) {
  const TemplateValues values(parameter);
  if (!values.admits(value)) return -1;
  const int64_t code = values.form() == TemplateForm::kList ? values.place_of(value) : value;
  return code >= 0 && code < (int64_t{1} << parameter.words[0].value) ? code : -1;
}

constexpr int64_t key_bits(TemplateSpan declaration) {
  int64_t bits = 0;
  for (size_t i = 0; i < declaration.count; ++i) {
    if (declaration.words[i].kind == TemplateWord::kParameter) bits += declaration.words[i].value;
  }
  return bits;
}

// Parameters from the lowest bits up; UINT64_MAX when a value cannot be encoded. `failed` gets the
// place of that parameter.
constexpr uint64_t pack_words(TemplateSpan declaration, const int64_t* values, size_t& failed) {
  uint64_t key = 0;
  int64_t shift = 0;
  const size_t count = declaration.headers(TemplateWord::kParameter);
  for (failed = 0; failed < count; ++failed) {
    const TemplateSpan parameter = declaration.at(TemplateWord::kParameter, failed);
    const int64_t code = encode(parameter, values[failed]);
    if (code < 0 || shift + parameter.words[0].value > 63) return UINT64_MAX;
    key |= static_cast<uint64_t>(code) << shift;
    shift += parameter.words[0].value;
  }
  return key;
}

// The values of one parameter in one selection and column.
class TemplateAxis {
 public:
  constexpr TemplateAxis(TemplateSpan parameter, TemplateSpan selection,
                         const TemplateColumn& column)
      : chosen_(choice_of(selection, parameter.words[0].name)) {
    const TemplateValues declared(parameter);
    if (chosen_.none()) chosen_ = declared;
    form_ = declared.form();
    if (declared.reference() != 0) bound_ = column.resolve(declared.reference(), form_);
    if (bound_ >= 0) fixed_ = chosen_.admits(bound_) ? 1 : 0;
  }

  // A parameter that stands for a tensor's type has that one value, or none in this column.
  constexpr size_t size() const {
    if (bound_ >= 0) return fixed_;
    size_t plain = 0;
    for (size_t i = 0; i < chosen_.size(); ++i) plain += !skip(chosen_[i]);
    return plain;
  }
  constexpr int64_t operator[](size_t place) const {
    if (bound_ >= 0) return bound_;
    for (size_t i = 0;; ++i) {
      if (!skip(chosen_[i]) && place-- == 0) return chosen_[i];
    }
  }

 private:
  constexpr bool skip(int64_t value) const {
    return form_ != TemplateForm::kList && is_reference(value);
  }

  TemplateValues chosen_;
  TemplateForm form_ = TemplateForm::kNumber;
  int64_t bound_ = -1;
  size_t fixed_ = 0;
};

// A combination that is compiled.
template <size_t P>
struct TemplateRow {
  uint64_t key = 0;
  int64_t task_type = -1;  // opk_task_type, or -1 when the selection does not say
  int64_t values[P] = {};  // keep the order of the declaration
};

constexpr size_t selection_size(TemplateSpan declaration, TemplateSpan selection,
                                const TemplateColumn& column) {
  size_t rows = 1;
  const size_t count = declaration.headers(TemplateWord::kParameter);
  for (size_t p = 0; p < count; ++p) {
    rows *= TemplateAxis(declaration.at(TemplateWord::kParameter, p), selection, column).size();
  }
  return rows;
}

// Combinations of all selections; one that several selections have counts as often.
constexpr size_t count_rows(TemplateSpan declaration, TemplateSpan selections,
                            const TemplateColumn& column) {
  size_t rows = 0;
  const size_t count = selections.headers(TemplateWord::kSelection);
  for (size_t s = 0; s < count; ++s) {
    rows += selection_size(declaration, selections.at(TemplateWord::kSelection, s), column);
  }
  return rows;
}

template <size_t P>
constexpr void fill_row(TemplateSpan declaration, TemplateSpan selection,
                        const TemplateColumn& column, size_t index, TemplateRow<P>& row) {
  for (size_t p = P; p-- > 0;) {
    const TemplateAxis axis(declaration.at(TemplateWord::kParameter, p), selection, column);
    row.values[p] = axis[index % axis.size()];
    index /= axis.size();
  }
  size_t failed = 0;
  row.key = pack_words(declaration, row.values, failed);
  row.task_type = kernel_type_of(selection);
}

template <size_t N, size_t P>
struct TemplateRows {
  TemplateRow<P> rows[N == 0 ? 1 : N];
  static constexpr size_t count = N;

  constexpr TemplateRows(TemplateSpan declaration, TemplateSpan selections,
                         const TemplateColumn& column)
      : rows{} {
    size_t at = 0;
    const size_t many = selections.headers(TemplateWord::kSelection);
    for (size_t s = 0; s < many; ++s) {
      const TemplateSpan selection = selections.at(TemplateWord::kSelection, s);
      const size_t size = selection_size(declaration, selection, column);
      for (size_t i = 0; i < size; ++i) fill_row(declaration, selection, column, i, rows[at++]);
    }
  }
};

// Tells whether a selection has every value; what it does not mention may be anything.
constexpr bool selects(TemplateSpan declaration, TemplateSpan selection, const int64_t* values) {
  const size_t count = declaration.headers(TemplateWord::kParameter);
  for (size_t p = 0; p < count; ++p) {
    const TemplateSpan parameter = declaration.at(TemplateWord::kParameter, p);
    const TemplateSpan choice = choice_of(selection, parameter.words[0].name);
    if (choice.count != 0 && !TemplateValues(choice).admits(values[p])) return false;
  }
  return true;
}

constexpr bool is_selected(TemplateSpan declaration, TemplateSpan selections,
                           const int64_t* values) {
  const size_t count = selections.headers(TemplateWord::kSelection);
  for (size_t s = 0; s < count; ++s) {
    if (selects(declaration, selections.at(TemplateWord::kSelection, s), values)) return true;
  }
  return false;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TEMPLATE_WORDS_H_
