// The sections `numeric` and `tolerance` of a contract: how results are rounded, and where a
// derived bound does not fit.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/reader.h"

namespace opkit {

void ContractReader::read_accumulate(const Value& value) {
  std::string text;
  if (!accept(value.as_string("numeric.accumulate"), text)) return;
  contract_.numeric.accumulate = dtype_from_name(text);
  if (!contract_.numeric.accumulate)
    fail(value.where, "OPK-CONTRACT-034", fmt::format("'{}' is no element type", text),
         "write e.g. float32");
}

void ContractReader::read_numeric(const Value& value) {
  using Policy = NumericPolicy;
  if (!accept(value.check_keys("numeric", {"accumulate", "overflow", "rounding", "nan", "order"})))
    return;
  Policy& policy = contract_.numeric;
  std::string choice;
  if (const Value* field = value.find("accumulate")) read_accumulate(*field);
  if (const Value* field = value.find("overflow");
      field && read_choice(*field, "numeric.overflow", {"inf", "saturate"}, choice))
    policy.overflow = choice == "inf" ? Policy::Overflow::kInf : Policy::Overflow::kSaturate;
  if (const Value* field = value.find("rounding"))
    read_choice(*field, "numeric.rounding", {"rint", "floor", "ceil", "round", "trunc", "odd"},
                policy.rounding);
  if (const Value* field = value.find("nan");
      field && read_choice(*field, "numeric.nan", {"propagate", "ignore", "unspecified"}, choice))
    policy.nan = choice == "propagate" ? Policy::Nan::kPropagate
                 : choice == "ignore"  ? Policy::Nan::kIgnore
                                       : Policy::Nan::kUnspecified;
  if (const Value* field = value.find("order");
      field && read_choice(*field, "numeric.order", {"any", "fixed"}, choice))
    policy.order = choice == "any" ? Policy::Order::kAny : Policy::Order::kFixed;
}

// One for every column, or a list of which each column takes the first that fits.
void ContractReader::read_tolerances(const Value& value) {
  if (!value.is_list()) return read_tolerance(value);
  for (const Value& item : value.items) read_tolerance(item);
}

void ContractReader::read_tolerance(const Value& value) {
  if (!accept(value.check_keys("tolerance", {"types", "value", "absolute", "reason"}))) return;
  Tolerance tolerance;
  tolerance.where = value.where;
  const Value* reason = value.find("reason");
  if (!reason || !value.find("value")) {
    return fail(value.where, "OPK-CONTRACT-035",
                fmt::format("tolerance has no {}", reason ? "value" : "reason"),
                "give both: {value: 0.001, reason: \"...\"}; without a tolerance the bound is "
                "derived");
  }
  if (!accept(reason->as_string("tolerance.reason"), tolerance.reason)) return;
  if (!accept(value.find("value")->as_number("tolerance.value"), tolerance.value)) return;
  if (const Value* absolute = value.find("absolute");
      absolute && !accept(absolute->as_number("tolerance.absolute"), tolerance.absolute))
    return;
  const bool sane = tolerance.value >= 0 && tolerance.value < 1 && tolerance.absolute >= 0 &&
                    tolerance.absolute < 1e30;
  if (!sane || tolerance.reason.empty()) {
    return fail(value.where, "OPK-CONTRACT-035",
                tolerance.reason.empty() ? "the tolerance's reason is empty"
                                         : "tolerance.value must lie in [0, 1) and "
                                           "tolerance.absolute must be finite and not negative",
                "say why the derived bound does not fit");
  }
  if (const Value* types = value.find("types"); types && !read_tolerance_columns(*types, tolerance))
    return;
  tolerance.columns.resize(contract_.columns_, tolerance.types.empty());
  contract_.tolerances.push_back(std::move(tolerance));
}

// types: {T: float16}
bool ContractReader::read_tolerance_columns(const Value& value, Tolerance& tolerance) {
  const auto refuse = [&](const Location& where, std::string message) {
    fail(where, "OPK-CONTRACT-035", std::move(message),
         "write variables under 'types' and a dtype of each, e.g. types: {T: float16}");
    return false;
  };
  if (!value.is_map() || value.entries.empty())
    return refuse(value.where, "the types of a tolerance are no map of variables");
  tolerance.columns.assign(contract_.columns_, true);
  for (const Value::Entry& entry : value.entries) {
    std::string text;
    if (!accept(entry.value.as_string("tolerance.types"), text)) return false;
    const auto variable = contract_.types.find(entry.key);
    const auto dtype = dtype_from_name(text);
    if (variable == contract_.types.end() || !dtype)
      return refuse(entry.where, dtype ? fmt::format("'{}' is no dtype variable", entry.key)
                                       : fmt::format("'{}' is no dtype", text));
    for (size_t column = 0; column < contract_.columns_; ++column) {
      if (column >= variable->second.size() || variable->second[column] != *dtype)
        tolerance.columns[column] = false;
    }
    tolerance.types += fmt::format("{}{}={}", tolerance.types.empty() ? "" : ", ", entry.key, text);
  }
  const auto& columns = tolerance.columns;
  if (std::find(columns.begin(), columns.end(), true) == columns.end())
    return refuse(value.where, fmt::format("no column has {}", tolerance.types));
  return true;
}

}  // namespace opkit
