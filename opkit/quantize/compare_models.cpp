#include "opkit/quantize/compare_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "opkit/base/counted.h"
#include "opkit/graph/node_name.h"
#include "opkit/quantize/codes.h"

namespace opkit::quantize {
namespace {

using graph::Node;
using graph::RefTensor;
using reference::NamedTensors;

constexpr double kMostHalf = 65504;

// What one run of a model showed.
struct Shown {
  std::vector<ValuePlace> places;
  NamedTensors tensors;
  // Counts the values at the range's ends, and all values.
  std::map<std::string, std::pair<uint64_t, uint64_t>> ends;
};

bool at_end(DType dtype, double value) {
  switch (dtype) {
    case DType::kInt8: return value <= -128 || value >= 127;
    case DType::kUInt8: return value <= 0 || value >= 255;
    case DType::kInt16: return value <= -32768 || value >= 32767;
    case DType::kUInt16: return value <= 0 || value >= 65535;
    default: return !(std::abs(value) < kMostHalf);
  }
}

// Floats are compared; of what was rounded to a small type the ends are counted.
Result<Shown> shown_by(const ModelSide& side, size_t sample, const LookAtPlace& dump) {
  Shown shown;
  Status status = side.run(sample, [&](const ValuePlace& place, const RefTensor& tensor) -> Status {
    if (dump) OPKIT_CHECK(dump(place, tensor));
    const bool quantized = place.op_type == "QuantizeLinear";
    if (quantized || tensor.dtype == DType::kFloat16) {
      auto& [ends, of] = shown.ends[place.value];
      for (const double value : tensor.values) ends += at_end(tensor.dtype, value);
      of += static_cast<uint64_t>(tensor.elements());
    }
    if (shown.tensors.emplace(place.value, tensor).second && is_float(tensor.dtype))
      shown.places.push_back(place);
    return {};
  });
  if (!status.ok()) return std::move(status).error();
  return shown;
}

// Pairs of values of the two models, in the order of the second.
class Matching {
 public:
  Matching(const Shown& a, const Shown& b) : a_(a), b_(b) {
    for (size_t i = 0; i < a.places.size(); ++i) number_.emplace(a.places[i].value, i);
  }

  Result<std::vector<ComparedValue>> run() {
    for (const ValuePlace& b : b_.places) {
      const auto found = number_.find(b.value);
      if (found == number_.end()) continue;
      const ValuePlace& a = a_.places[found->second];
      if (a_.tensors.at(a.value).elements() != b_.tensors.at(b.value).elements())
        return Error(kOtherDims,
                     fmt::format("'{}' has the dims [{}] in one model and [{}] in the other",
                                 a.value, fmt::join(a.dims, ", "), fmt::join(b.dims, ", ")),
                     "compare models of one network at the same dims");
      used_.insert(a.value);
      pairs_.emplace(b.value, &a);
    }
    match_by_place();
    std::vector<ComparedValue> all;
    for (const ValuePlace& b : b_.places) {
      const auto found = pairs_.find(b.value);
      if (found == pairs_.end()) continue;
      const Matched matched =
          found->second->value == b.value ? Matched::kByName : Matched::kByPlace;
      all.push_back({*found->second, b, matched, {}, {}, 0});
    }
    return all;
  }

 private:
  // Returns what stands behind the same value of one name, in the same order, with operator and
  // dims.
  static std::string key(const std::string& behind, const ValuePlace& place) {
    return fmt::format("{}\n{}\n{}", behind, place.op_type, fmt::join(place.dims, ","));
  }

  void match_by_place() {
    std::map<std::string, std::vector<const ValuePlace*>> waiting;
    std::string behind;
    for (const ValuePlace& a : a_.places) {
      if (used_.count(a.value) > 0)
        behind = a.value;
      else
        waiting[key(behind, a)].push_back(&a);
    }
    behind.clear();
    std::map<std::string, size_t> next;
    for (const ValuePlace& b : b_.places) {
      if (pairs_.count(b.value) > 0) {
        behind = pairs_.at(b.value)->value;
        continue;
      }
      const std::string here = key(behind, b);
      const auto found = waiting.find(here);
      const size_t n = next[here]++;
      if (found != waiting.end() && n < found->second.size())
        by_place_.emplace(b.value, found->second[n]);
    }
    pairs_.insert(by_place_.begin(), by_place_.end());
  }

  const Shown &a_, &b_;
  std::unordered_map<std::string, size_t> number_;
  std::set<std::string> used_;
  std::map<std::string, const ValuePlace*> pairs_, by_place_;
};

class Comparing {
 public:
  Comparing(const ModelSide& a, const ModelSide& b, const InnerCompareOptions& options)
      : a_(a), b_(b), options_(options) {}

  Status add(size_t sample) {
    if (options_.begin_sample) options_.begin_sample(sample);
    OPKIT_TRY(const Shown a, shown_by(a_, sample, options_.dump_a));
    OPKIT_TRY(const Shown b, shown_by(b_, sample, options_.dump_b));
    if (sample == 0) OPKIT_CHECK(match(a, b));
    for (ComparedValue& value : result_.values) {
      const auto x = a.tensors.find(value.a.value), y = b.tensors.find(value.b.value);
      if (x == a.tensors.end() || y == b.tensors.end()) continue;
      value.carried.add(x->second, y->second);
      if (options_.added) OPKIT_CHECK(add_own(a, b, value));
    }
    for (const auto& [value, ends] : b.ends) {
      ends_[value].first += ends.first;
      ends_[value].second += ends.second;
    }
    OPKIT_CHECK(add_scores(a, b, sample));
    ++result_.samples;
    return {};
  }

  ModelComparison take() {
    for (ComparedValue& value : result_.values) value.saturated = saturated_before(value.b.value);
    return std::move(result_);
  }

 private:
  static size_t made_by_nodes(const Shown& shown) {
    return static_cast<size_t>(
        std::count_if(shown.places.begin(), shown.places.end(),
                      [](const ValuePlace& place) { return !place.node.empty(); }));
  }

  Status match(const Shown& a, const Shown& b) {
    OPKIT_TRY(result_.values, Matching(a, b).run());
    std::erase_if(result_.values, [](const ComparedValue& value) {
      return value.a.node.empty() || value.b.node.empty();
    });
    if (result_.values.empty())
      return Error(kNothingInCommon, "the models have no value in common",
                   "compare models that were made of one network");
    result_.only_a = made_by_nodes(a) - result_.values.size();
    result_.only_b = made_by_nodes(b) - result_.values.size();
    for (const ComparedValue& value : result_.values) {
      if (value.matched == Matched::kByName) common_.insert(value.a.value);
    }
    for (const std::string& output : a_.outputs) {
      if (common_.count(output) > 0) result_.outputs.push_back(output);
    }
    return {};
  }

  bool is_common(const std::string& name) const { return common_.count(name) > 0; }

  // Lets one model compute the value of what the other one had.
  Status add_own(const Shown& a, const Shown& b, ComparedValue& value) {
    const bool second = b_.walk != nullptr;
    const Walk* walk = second ? b_.walk : a_.walk;
    if (walk == nullptr) return {};
    const std::string& name = second ? value.b.value : value.a.value;
    const NamedTensors& given = second ? a.tensors : b.tensors;
    // An operand that only the other model names differently cannot be given: it is computed.
    NamedTensors operands;
    for (const size_t n : walk->needed({name}, [&](const std::string& one) {
           return is_common(one) && given.count(one) > 0;
         })) {
      for (const std::string& input : walk->graph().nodes[n].inputs) {
        const auto found = given.find(input);
        const bool is_input = walk->maker(input) == nullptr;
        if (found != given.end() && input != name && (is_input || is_common(input)))
          operands.emplace(input, found->second);
      }
    }
    auto computed = walk->compute({name}, operands);
    if (!computed.ok()) return {};  // an input of an integer type, which is not kept
    const RefTensor& own = computed->at(name);
    const RefTensor& other = second ? a.tensors.at(value.a.value) : b.tensors.at(value.b.value);
    if (own.elements() != other.elements()) return {};
    if (!value.added) value.added.emplace();
    if (second)
      value.added->add(other, own);
    else
      value.added->add(own, other);
    return {};
  }

  // What is rounded between the value and those that both models have.
  double saturated_before(const std::string& value) const {
    double most = 0;
    const auto share = [&](const std::string& name) {
      const auto found = ends_.find(name);
      if (found != ends_.end() && found->second.second > 0)
        most = std::max(most, static_cast<double>(found->second.first) /
                                  static_cast<double>(found->second.second));
    };
    share(value);
    if (b_.walk == nullptr) return most;
    for (const size_t n :
         b_.walk->needed({value}, [&](const std::string& name) { return is_common(name); })) {
      for (const std::string& output : b_.walk->graph().nodes[n].outputs) share(output);
    }
    return most;
  }

  // Labels belong to the outputs that have as many rows.
  Status add_scores(const Shown& a, const Shown& b, size_t sample) {
    static const std::vector<int64_t> kNone;
    const auto& labels = options_.labels.empty() ? kNone : options_.labels.at(sample);
    bool used = labels.empty();
    for (const std::string& output : result_.outputs) {
      const auto x = a.tensors.find(output), y = b.tensors.find(output);
      if (x == a.tensors.end() || y == b.tensors.end() || !is_scores(x->second)) continue;
      const bool fit = static_cast<int64_t>(labels.size()) == x->second.shape[0];
      if (fit) OPKIT_CHECK(check_classes(labels, output, x->second));
      result_.scores[output].add(x->second, y->second, fit ? labels : kNone);
      used = used || fit;
    }
    if (used) return {};
    return Error(kBadLabels,
                 fmt::format("there are {} for each sample, and no output holds as many rows of "
                             "scores",
                             counted(labels.size(), "label")),
                 "give a label for each row of an output");
  }

  static Status check_classes(const std::vector<int64_t>& labels, const std::string& output,
                              const RefTensor& scores) {
    const int64_t classes = scores.elements() / std::max<int64_t>(1, scores.shape[0]);
    for (const int64_t label : labels) {
      if (label >= 0 && label < classes) continue;
      return Error(kBadLabels,
                   fmt::format("a label is {}, and '{}' has {} classes", label, output, classes),
                   "number classes from 0 on");
    }
    return {};
  }

  const ModelSide &a_, &b_;
  const InnerCompareOptions& options_;
  ModelComparison result_;
  std::set<std::string> common_;
  std::map<std::string, std::pair<uint64_t, uint64_t>> ends_;
};

}  // namespace

ModelSide side_of(const Walk& walk, const Samples& samples) {
  ModelSide side;
  side.walk = &walk;
  side.outputs = walk.graph().outputs;
  side.run = [&walk, &samples](size_t sample, const LookAtPlace& look) -> Status {
    OPKIT_TRY(const NamedTensors inputs, samples.named(sample));
    return walk.run(inputs, [&](const std::string& value, const RefTensor& tensor) {
      const Node* node = walk.maker(value);
      const ValuePlace place{value, node == nullptr ? "" : graph::name_of(*node),
                             node == nullptr ? "" : node->op_type, tensor.shape.dims()};
      return look(place, tensor);
    });
  };
  return side;
}

std::vector<size_t> ModelComparison::ranking() const {
  std::vector<size_t> order;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].added_share() > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return values[x].added_share() > values[y].added_share();
  });
  return order;
}

const ComparedValue* ModelComparison::find(const std::string& value) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const ComparedValue& one) {
    return one.b.value == value || one.a.value == value;
  });
  return found == values.end() ? nullptr : &*found;
}

Result<ModelComparison> compare_models(const ModelSide& a, const ModelSide& b, size_t samples,
                                       const InnerCompareOptions& options, const Advance& advance) {
  Comparing comparing(a, b, options);
  for (size_t sample = 0; sample < samples; ++sample) {
    OPKIT_CHECK(comparing.add(sample));
    advance(sample + 1);
  }
  return comparing.take();
}

}  // namespace opkit::quantize
