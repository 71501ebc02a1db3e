#include "opkit/quantize/quantize_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "opkit/base/counted.h"
#include "opkit/base/suggest.h"
#include "opkit/quantize/codes.h"
#include "opkit/reference/tensor.h"

namespace opkit::quantize {
namespace {

constexpr double kLowest = -128, kHighest = 127;

// Bounds of what a scale holds.
ValueRange held_by(const Scale& scale) {
  const auto zero = static_cast<double>(scale.zero);
  return {(kLowest - zero) * scale.scale, (kHighest - zero) * scale.scale};
}

double clipped_share(const SeenValue& seen, const Scale& scale) {
  const ValueRange held = held_by(scale);
  const Histogram& histogram = seen.histogram;
  if (histogram.lowest() >= held.low && histogram.highest() <= held.high) return 0;
  const double width = histogram.reach() / static_cast<double>(histogram.bins());
  double beyond = 0;
  for (size_t i = 0; i < histogram.counts().size(); ++i) {
    const double middle = std::clamp(-histogram.reach() + (static_cast<double>(i) + 0.5) * width,
                                     histogram.lowest(), histogram.highest());
    if (middle < held.low - width || middle > held.high + width)
      beyond += static_cast<double>(histogram.counts()[i]);
  }
  return histogram.total() == 0 ? 0 : beyond / static_cast<double>(histogram.total());
}

// Returns the options that a value is quantized with: those of the first layer that reads it.
const LayerOptions& options_of(const std::string& value, const QuantizeWish& wish,
                               const QuantizeOptions& options) {
  for (const Layer& layer : wish.layers) {
    if (layer.data == value) return options.of(layer.name);
  }
  return options.common;
}

// Values of one group have one scale: that of the range around them all.
std::map<std::string, Scale> scales_on_data(const QuantizeWish& wish, const SeenValues& seen,
                                            const QuantizeOptions& options) {
  std::vector<ValueRange> ranges(wish.region.groups);
  std::vector<char> asymmetric(wish.region.groups);
  for (const auto& [value, group] : wish.region.values) {
    const LayerOptions& one = options_of(value, wish, options);
    const ValueRange range = range_of(seen.at(value), one);
    ranges[group] = {std::min(ranges[group].low, range.low),
                     std::max(ranges[group].high, range.high)};
    asymmetric[group] = asymmetric[group] || one.asymmetric;
  }
  std::map<std::string, Scale> scales;
  for (const auto& [value, group] : wish.region.values)
    scales[value] = scale_of(ranges[group], asymmetric[group] != 0);
  return scales;
}

Error other_record(std::string what, const RecordEntry& entry, std::string action) {
  return Error(kOtherRecord, std::move(what), std::move(action)).at(entry.where);
}

Status check_channels(const RecordEntry& entry, const Layer& layer) {
  const size_t channels =
      layer.per_channel ? static_cast<size_t>(layer.weights.shape[layer.axis]) : 1;
  if (entry.scale_w.size() == 1 || entry.scale_w.size() == channels) return {};
  return other_record(
      fmt::format("the record has {} of weights for '{}', and its weights have {}",
                  counted(entry.scale_w.size(), "scale"), layer.name, counted(channels, "channel")),
      entry, "give the record of this model");
}

// A value has one scale, whoever reads it.
Status check_readers(const std::vector<Layer>& layers, const QuantizeOptions& options) {
  std::unordered_map<std::string, const Layer*> first;
  for (const Layer& layer : layers) {
    const Layer& other = *first.emplace(layer.data, &layer).first->second;
    const LayerOptions &a = options.of(other.name), &b = options.of(layer.name);
    const bool same = a.activation == b.activation && a.asymmetric == b.asymmetric &&
                      (a.activation != RangeMethod::kPercentile || a.percentile == b.percentile);
    if (same) continue;
    return Error(
        kBadConfig,
        fmt::format("the layers '{}' and '{}' read '{}', and their options for activations "
                    "differ",
                    other.name, layer.name, layer.data),
        "give both the same activation, percentile and asymmetric");
  }
  return {};
}

double as_single(double value) { return reference::rounded_to(DType::kFloat32, value); }

// Lets layers take the scales of a record.
class RecordTaker {
 public:
  explicit RecordTaker(const Walk& walk) : walk_(walk) {}

  Result<Int8Model> run(Layers found, const std::vector<RecordEntry>& record) {
    all_.left_out = std::move(found.left_out);
    OPKIT_CHECK(sort_entries(record, found.names()));
    std::vector<Layer> layers;
    for (Layer& layer : found.layers) {
      const auto entry = entries_.find(layer.name);
      if (entry == entries_.end()) {
        all_.left_out.push_back({layer.name, layer.op_type, "is not in the record"});
        continue;
      }
      OPKIT_CHECK(take(layer, *entry->second));
      layers.push_back(std::move(layer));
    }
    if (layers.empty())
      return Error(kOtherRecord, "the record names no layer of the model",
                   "give the record of this model");
    take_region(layers);
    return std::move(all_);
  }

 private:
  // Takes the scales of tensors at once, and keeps those of layers.
  Status sort_entries(const std::vector<RecordEntry>& record,
                      const std::vector<std::string>& names) {
    for (const RecordEntry& entry : record) {
      if (entry.key.starts_with(kTensorKey)) {
        const std::string value = entry.key.substr(kTensorKey.size());
        if (walk_.maker(value) == nullptr)
          return other_record(
              fmt::format("the record names the tensor '{}', which no node gives", value), entry,
              "give the record of this model");
        OPKIT_CHECK(check_tensor(value, entry));
        all_.scales[value] = {as_single(entry.scale_d), entry.offset_d};
        chains_ = true;
        continue;
      }
      if (std::find(names.begin(), names.end(), entry.key) == names.end())
        return other_record(
            fmt::format("the record names the layer '{}', which the model has not", entry.key),
            entry, suggest(entry.key, names, "give the record of this model"));
      entries_[entry.key] = &entry;
    }
    return {};
  }

  // Graphs whose types were inferred know the type of every value.
  Status check_tensor(const std::string& value, const RecordEntry& entry) const {
    const auto known = walk_.graph().values.find(value);
    const DType dtype =
        known == walk_.graph().values.end() ? DType::kUndefined : known->second.dtype;
    if (dtype != DType::kUndefined && dtype != DType::kFloat32)
      return other_record(
          fmt::format("the record names the tensor '{}', which is {}", value, name_of(dtype)),
          entry, "name tensors of float32");
    if (!walk_.depends_on_input(value))
      return other_record(
          fmt::format("the record names the tensor '{}', which depends on no input", value), entry,
          "name tensors between layers");
    if (entry.scale_w.empty() && entry.offset_w.empty()) return {};
    return other_record(fmt::format("the record gives the tensor '{}' scales of weights", value),
                        entry, "a tensor has scale_d and offset_d alone");
  }

  Status take(const Layer& layer, const RecordEntry& entry) {
    OPKIT_CHECK(check_channels(entry, layer));
    const Scale data{as_single(entry.scale_d), entry.offset_d};
    const Scale& known = all_.scales.emplace(layer.data, data).first->second;
    if (known.scale != data.scale || known.zero != data.zero)
      return other_record(
          fmt::format("two layers of the record read '{}' in different scales", layer.data), entry,
          "give the record of this model");
    std::vector<double> scales = entry.scale_w;
    const size_t channels =
        layer.per_channel ? static_cast<size_t>(layer.weights.shape[layer.axis]) : 1;
    scales.resize(channels, scales[0]);
    for (double& scale : scales) scale = as_single(scale);
    all_.layers.push_back(
        {layer, {}, data, quantized_weights(layer, scales, data.scale), held_by(data), 0});
    return {};
  }

  // Only what the record names is quantized, and of that what int8 reads.
  void take_region(const std::vector<Layer>& layers) {
    all_.region = find_region(walk_, layers, chains_ ? Between::kChains : Between::kNothing);
    std::erase_if(all_.region.values,
                  [&](const auto& value) { return all_.scales.count(value.first) == 0; });
    std::erase_if(all_.scales, [&](const auto& scale) {
      const bool unread = all_.region.values.count(scale.first) == 0;
      if (unread) all_.left_out.push_back({scale.first, "tensor", "is read by nothing in int8"});
      return unread;
    });
  }

  const Walk& walk_;
  Int8Model all_;
  std::map<std::string, const RecordEntry*> entries_;
  bool chains_ = false;
};

}  // namespace

Scale scale_of(const ValueRange& range, bool asymmetric) {
  if (!asymmetric) return {scale_of(std::max(-range.low, range.high)), 0};
  const double span = range.high - range.low;
  if (!(span > 0)) return {};
  const double scale =
      reference::rounded_to(DType::kFloat32, std::max(span / (kHighest - kLowest), kLeastScale));
  const double zero = std::clamp(std::nearbyint(kLowest - range.low / scale), kLowest, kHighest);
  return {scale, static_cast<int64_t>(zero)};
}

Result<QuantizeWish> wish_of(const Walk& walk, Layers found, const QuantizeOptions& options) {
  QuantizeWish wish;
  wish.left_out = std::move(found.left_out);
  for (Layer& layer : found.layers) {
    if (options.of(layer.name).skip)
      wish.left_out.push_back({layer.name, layer.op_type, "is skipped"});
    else
      wish.layers.push_back(std::move(layer));
  }
  if (wish.layers.empty())
    return Error(kNothing, "the model has nothing to quantize: every layer is skipped",
                 "skip fewer layers");
  OPKIT_CHECK(check_readers(wish.layers, options));
  wish.region = find_region(walk, wish.layers, options.between);
  return wish;
}

Int8Model from_data(const QuantizeWish& wish, const SeenValues& seen,
                    const QuantizeOptions& options) {
  Int8Model all;
  all.left_out = wish.left_out;
  all.region = wish.region;
  all.scales = scales_on_data(wish, seen, options);
  for (const Layer& layer : wish.layers) {
    const LayerOptions& one = options.of(layer.name);
    const Scale data = all.scales.at(layer.data);
    const SeenValue& values = seen.at(layer.data);
    all.layers.push_back({layer, one, data,
                          quantized_weights(layer, weight_scales(layer, one.weights), data.scale),
                          ValueRange{values.histogram.lowest(), values.histogram.highest()},
                          clipped_share(values, data)});
  }
  return all;
}

Result<Int8Model> from_record(const Walk& walk, Layers found,
                              const std::vector<RecordEntry>& record) {
  return RecordTaker(walk).run(std::move(found), record);
}

std::vector<RecordEntry> record_of(const Int8Model& quantization) {
  std::vector<RecordEntry> entries;
  std::set<std::string> data;
  for (const QuantizedLayer& one : quantization.layers) {
    data.insert(one.layer.data);
    entries.push_back({one.layer.name, one.data.scale, one.data.zero, one.weights.scales,
                       std::vector<int64_t>(one.weights.scales.size())});
  }
  for (const auto& [value, scale] : quantization.scales) {
    if (data.count(value) == 0)
      entries.push_back({std::string(kTensorKey) + value, scale.scale, scale.zero, {}, {}});
  }
  return entries;
}

}  // namespace opkit::quantize
