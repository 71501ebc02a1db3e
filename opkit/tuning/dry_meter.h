// DryMeter: candidates planned by the op's tiling function and measured by launches without data,
// on as many executors as there are.
#ifndef OPKIT_TUNING_DRY_METER_H_
#define OPKIT_TUNING_DRY_METER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/tuning/score.h"
#include "opkit/tuning/search.h"
#include "opkit/tuning/store.h"

namespace opkit::tuning {

// Holds what every launch of the call does, whatever its tiling.
struct CallBound {
  double read = 0, written = 0;  // bytes that must move
  double products = 0;           // multiply-adds
  double cube_rate = 0;          // multiply-adds of one cycle of a cube core, at most
};

// Returns the least nanoseconds of a launch of that many blocks.
uint64_t bound_of(const CallBound& call, const core::TimingRates& rates, uint32_t blocks,
                  int32_t task_type);
// Returns the least nanoseconds of any launch.
uint64_t bound_of(const CallBound& call, const core::TimingRates& rates);

class DryMeter : public Meter {
 public:
  // Borrows all but the score. `executors`: one for each worker; all run the same plugin. `store`
  // may be null.
  struct Setup {
    const OpContract* contract = nullptr;
    std::vector<Executor*> executors;
    std::string soc;
    const CallFacts* facts = nullptr;
    core::TimingRates rates;
    CallBound bound;
    Score score;
    Store* store = nullptr;
    TunedCall subject;
  };
  explicit DryMeter(Setup setup) : setup_(std::move(setup)) {}

  void plan(const std::vector<TuningRow*>& rows) override;
  void measure(const std::vector<TuningRow*>& rows, bool few) override;
  uint64_t least_ns() const override { return bound_of(setup_.bound, setup_.rates); }
  Status stored() const override { return stored_; }
  uint64_t from_store() const override { return from_store_; }

 private:
  using Work = std::function<void(Executor& executor, TuningRow& row)>;
  bool take_stored(TuningRow& row) const;
  void share(const std::vector<TuningRow*>& rows, const Work& work) const;
  Result<SharedPlan> planned(Executor& executor, const TuningRow& row) const;
  void plan_one(Executor& executor, TuningRow& row) const;
  void measure_one(Executor& executor, TuningRow& row, bool few) const;

  Setup setup_;
  Status stored_;
  uint64_t from_store_ = 0;
};

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_DRY_METER_H_
