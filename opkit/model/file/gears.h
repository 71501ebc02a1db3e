// Models for several dims of their inputs: one plan per gear, weights and plugins once.
#ifndef OPKIT_MODEL_FILE_GEARS_H_
#define OPKIT_MODEL_FILE_GEARS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/model/file/offline_model.h"

namespace opkit::model {

// Joins models that one graph gave for different dims.
class GearJoin {
 public:
  explicit GearJoin(GearKind kind) { model_.gear_kind = kind; }

  // Adds the gear of which the flag says `values`. `one` has one plan; weights that are there
  // already are not added again. REQUIRES: the same chip and opset.
  void add(std::vector<int64_t> values, OfflineModel one);
  // Adds what step `step` of the last plan runs, behind its bodies that are there. `body` has one
  // plan.
  void add_body(uint32_t step, OfflineModel body);
  OfflineModel take() { return std::move(model_); }

 private:
  using Offsets = std::unordered_map<uint64_t, uint64_t>;
  Offsets add_weights(const OfflineModel& one);
  uint64_t add_weight(const OfflineModel& one, const WeightPart& part, uint64_t room);
  std::vector<uint32_t> add_plugins(const OfflineModel& one);
  // Adds weights, plugins and bodies of a model of one plan, and returns the plan.
  Plan taken(OfflineModel& one, uint32_t gear);

  OfflineModel model_;
  bool empty_ = true;
  std::unordered_multimap<size_t, size_t> known_;  // parts by the hash of their bytes
};

// Returns the gear whose inputs have these shapes, in order. Error: OPK-OM-007 with the gears that
// there are.
Result<size_t> gear_of(const OfflineModel& model, const std::vector<Shape>& inputs);

// Returns the gear whose tensors are largest.
size_t largest_gear(const OfflineModel& model);

// Returns the dims of an input or output, -1 where gears differ. `ends`: &Plan::inputs or
// &Plan::outputs.
std::vector<int64_t> open_dims(const OfflineModel& model, std::vector<uint32_t> Plan::*ends,
                               size_t index);

// Returns what the flag says of the gear; of a model without gears nothing.
std::vector<int64_t> gear_values(const OfflineModel& model, size_t gear);

// "1; 2; 4", "224,224; 448,448"
std::string gears_text(const OfflineModel& model);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_GEARS_H_
