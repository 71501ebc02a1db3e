#include "opkit/contract/knobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/base/document.h"
#include "opkit/contract/names.h"

namespace opkit {
namespace {

constexpr size_t kMostValues = 4096;  // limits the values of one knob

Error bad_knob(const Value& value, const std::string& name, const std::string& what) {
  return Error("OPK-CONTRACT-090", fmt::format("knob '{}' {}", name, what),
               fmt::format("write {}: [1, 2, 4], or {}: {{range: [16, 256], multiple_of: 16}}",
                           name, name))
      .at(value.where);
}

Result<std::vector<int64_t>> listed(const Value& list, const std::string& name) {
  std::vector<int64_t> values;
  for (const Value& item : list.items) {
    OPKIT_TRY(const int64_t value, item.as_int("a value of knob " + name));
    values.push_back(value);
  }
  return values;
}

Result<std::vector<int64_t>> ranged(const Value& value, const std::string& name) {
  const Value* range = value.find("range");
  if (range == nullptr || !range->is_list() || range->items.size() != 2)
    return bad_knob(value, name, "has neither values nor a range of two ends");
  OPKIT_TRY(const std::vector<int64_t> ends, listed(*range, name));
  int64_t step = 1;
  if (const Value* multiple = value.find("multiple_of")) {
    OPKIT_TRY(step, multiple->as_int("multiple_of of knob " + name));
  }
  if (step < 1 || ends[0] < 1 || ends[1] < ends[0])
    return bad_knob(value, name, "has an empty range, or numbers below 1");
  const int64_t first = (ends[0] + step - 1) / step * step;
  if (first < ends[0] || first > ends[1])
    return bad_knob(value, name, "has no multiple in its range");
  if ((ends[1] - first) / step >= static_cast<int64_t>(kMostValues))
    return bad_knob(value, name, fmt::format("has more than {} values", kMostValues));
  std::vector<int64_t> values;
  for (int64_t at = first; at <= ends[1]; at += step) values.push_back(at);
  return values;
}

Result<Knob> read_knob(const Value::Entry& entry) {
  Knob knob{entry.key, {}, {}, entry.where};
  if (!is_identifier(entry.key) || entry.key == "bank")
    return bad_knob(entry.value, entry.key, "cannot have that name");
  if (entry.value.is_list()) {
    OPKIT_TRY(knob.values, listed(entry.value, entry.key));
  } else if (entry.value.is_map()) {
    OPKIT_CHECK(
        entry.value.check_keys("knob " + entry.key, {"values", "range", "multiple_of", "doc"}));
    const Value* values = entry.value.find("values");
    if (values != nullptr && values->is_list()) {
      OPKIT_TRY(knob.values, listed(*values, entry.key));
    } else {
      OPKIT_TRY(knob.values, ranged(entry.value, entry.key));
    }
    if (const Value* doc = entry.value.find("doc")) {
      OPKIT_TRY(knob.doc, doc->as_string("doc of knob " + entry.key));
    }
  }
  std::sort(knob.values.begin(), knob.values.end());
  knob.values.erase(std::unique(knob.values.begin(), knob.values.end()), knob.values.end());
  if (knob.values.empty() || knob.values.front() < 1 || knob.values.size() > kMostValues)
    return bad_knob(entry.value, entry.key, "has no values of 1 and more");
  return knob;
}

}  // namespace

Result<Knobs> read_knobs(const Value& tuning) {
  if (!tuning.is_map() || tuning.entries.empty())
    return Error("OPK-CONTRACT-090", "tuning is no map of knobs", "tuning: {tile: [1024, 2048]}")
        .at(tuning.where);
  Knobs knobs;
  for (const Value::Entry& entry : tuning.entries) {
    OPKIT_TRY(Knob knob, read_knob(entry));
    knobs.push_back(std::move(knob));
  }
  return knobs;
}

Status check_tuning(const Value& tuning) {
  const auto knobs = read_knobs(tuning);
  return knobs.ok() ? Status() : Status(knobs.error());
}

Result<Knobs> read_knobs(std::string_view text, const std::string& name) {
  if (text.find("tuning:") == std::string_view::npos) return Knobs{};
  OPKIT_TRY(const Document document, Document::parse(text, name));
  const Value* tuning = document.root().find("tuning");
  return tuning == nullptr ? Knobs{} : read_knobs(*tuning);
}

SplitAttrs split_knobs(const AttrValues& all) {
  SplitAttrs split;
  for (const auto& [name, value] : all)
    (name.starts_with(kKnobPrefix) ? split.knobs : split.attrs).emplace(name, value);
  return split;
}

std::string knobs_text(const AttrValues& knobs) {
  std::vector<std::string> parts;
  for (const auto& [attr, value] : knobs)
    parts.push_back(fmt::format("{}={}", attr.substr(kKnobPrefix.size()), to_string(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace opkit
