#include "opkit/quantize/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/document.h"
#include "opkit/base/suggest.h"
#include "opkit/quantize/codes.h"

namespace opkit::quantize {
namespace {

Error bad_config(std::string what, std::string action, const Location& where) {
  return Error(kBadConfig, std::move(what), std::move(action)).at(where);
}

// Errors of reading a value are those of a config file.
template <typename T>
Result<T> as_config(Result<T> value) {
  if (!value.ok()) value.error().code = kBadConfig;
  return value;
}

Status check_config_keys(const Value& map, std::string_view what,
                         const std::vector<std::string>& known) {
  Status status = map.check_keys(what, known);
  if (!status.ok()) status.error().code = kBadConfig;
  return status;
}

template <typename Method>
Status read_method(const Value& value, std::string_view key, const std::vector<std::string>& names,
                   Method& method) {
  OPKIT_TRY(const std::string text, as_config(value.as_string(key)));
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    return bad_config(fmt::format("{} has no method '{}'", key, text), suggest(text, names),
                      value.where);
  method = static_cast<Method>(found - names.begin());
  return {};
}

Status read_percentile(const Value& value, double& percentile) {
  OPKIT_TRY(percentile, as_config(value.as_number("percentile")));
  if (percentile > 50 && percentile <= 100) return {};
  return bad_config(fmt::format("percentile is {}", percentile), "give one above 50, at most 100",
                    value.where);
}

const std::vector<std::string>& layer_keys() {
  static const std::vector<std::string> kKeys = {"activation", "weights", "percentile",
                                                 "asymmetric", "skip"};
  return kKeys;
}

// Reads the options that a map says; the others stay.
Status read_layer_options(const Value& map, LayerOptions& options) {
  for (const Value::Entry& entry : map.entries) {
    if (entry.key == "activation")
      OPKIT_CHECK(read_method(entry.value, entry.key, range_method_names(), options.activation));
    if (entry.key == "weights")
      OPKIT_CHECK(read_method(entry.value, entry.key, weight_method_names(), options.weights));
    if (entry.key == "percentile") OPKIT_CHECK(read_percentile(entry.value, options.percentile));
    if (entry.key == "asymmetric") {
      OPKIT_TRY(options.asymmetric, as_config(entry.value.as_bool(entry.key)));
    }
    if (entry.key == "skip") {
      OPKIT_TRY(options.skip, as_config(entry.value.as_bool(entry.key)));
    }
  }
  return {};
}

Status read_common(const Value& root, QuantizeOptions& options) {
  OPKIT_CHECK(read_layer_options(root, options.common));
  for (auto& [name, layer] : options.layers) OPKIT_CHECK(read_layer_options(root, layer));
  if (const Value* bins = root.find("bins")) {
    OPKIT_TRY(const int64_t count, as_config(bins->as_int("bins")));
    if (count < 256 || count > 65536 || count % 2 != 0)
      return bad_config(fmt::format("bins is {}", count), "give an even number from 256 to 65536",
                        bins->where);
    options.bins = static_cast<size_t>(count);
  }
  const Value* between = root.find("between");
  if (between == nullptr) return {};
  return read_method(*between, "between", {"none", "chains"}, options.between);
}

Status read_skipped(const Value& list, const std::vector<std::string>& layers,
                    QuantizeOptions& options) {
  if (!list.is_list())
    return bad_config("skip_layers is no list", "write skip_layers: [name, name]", list.where);
  for (const Value& item : list.items) {
    OPKIT_TRY(const std::string name, as_config(item.as_string("skip_layers")));
    Status known = check_layer(name, layers, "skip_layers");
    if (!known.ok()) return std::move(known).error().at(item.where);
    options.layers.emplace(name, options.common).first->second.skip = true;
  }
  return {};
}

Status read_layers(const Value& map, const std::vector<std::string>& layers,
                   QuantizeOptions& options) {
  if (!map.is_map())
    return bad_config("layers is no map", "write layers: {name: {activation: kl}}", map.where);
  for (const Value::Entry& entry : map.entries) {
    Status known = check_layer(entry.key, layers, "layers");
    if (!known.ok()) return std::move(known).error().at(entry.where);
    if (!entry.value.is_map())
      return bad_config(fmt::format("layer '{}' has no options", entry.key),
                        "write options as a map: {activation: kl}", entry.value.where);
    OPKIT_CHECK(check_config_keys(entry.value, "layers." + entry.key, layer_keys()));
    LayerOptions& layer = options.layers.emplace(entry.key, options.common).first->second;
    OPKIT_CHECK(read_layer_options(entry.value, layer));
  }
  return {};
}

}  // namespace

const std::vector<std::string>& range_method_names() {
  static const std::vector<std::string> kNames = {"minmax", "moving_average", "percentile", "kl"};
  return kNames;
}

const std::vector<std::string>& weight_method_names() {
  static const std::vector<std::string> kNames = {"minmax", "mse"};
  return kNames;
}

std::string_view name_of(RangeMethod method) {
  return range_method_names()[static_cast<size_t>(method)];
}

std::string_view name_of(WeightMethod method) {
  return weight_method_names()[static_cast<size_t>(method)];
}

Status check_layer(const std::string& name, const std::vector<std::string>& layers,
                   const std::string& source) {
  if (std::find(layers.begin(), layers.end(), name) != layers.end()) return {};
  return Error(kUnknownLayer,
               fmt::format("{} names the layer '{}', which the model has not", source, name),
               suggest(name, layers, "opkit quantize --list shows the layers of a model"));
}

Status read_config(const std::filesystem::path& file, const std::vector<std::string>& layers,
                   QuantizeOptions& options) {
  OPKIT_TRY(const Document document, Document::load(file));
  const Value& root = document.root();
  if (!root.is_map())
    return bad_config("the config file is no map", "write keys such as skip_layers: [conv1]",
                      root.where);
  std::vector<std::string> keys = layer_keys();
  std::erase(keys, "skip");
  keys.insert(keys.end(), {"bins", "between", "skip_layers", "layers"});
  OPKIT_CHECK(check_config_keys(root, "the config file", keys));
  OPKIT_CHECK(read_common(root, options));
  if (const Value* skipped = root.find("skip_layers"))
    OPKIT_CHECK(read_skipped(*skipped, layers, options));
  if (const Value* single = root.find("layers")) OPKIT_CHECK(read_layers(*single, layers, options));
  return {};
}

}  // namespace opkit::quantize
