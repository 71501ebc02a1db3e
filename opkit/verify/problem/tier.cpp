#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return "smoke";
    case Tier::kCi: return "ci";
    case Tier::kNightly: return "nightly";
  }
  return {};
}

std::optional<Tier> tier_from_name(std::string_view name) {
  for (const Tier tier : {Tier::kSmoke, Tier::kCi, Tier::kNightly}) {
    if (name_of(tier) == name) return tier;
  }
  return std::nullopt;
}

int64_t random_count(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return 10;
    case Tier::kCi: return 120;
    case Tier::kNightly: return 3000;
  }
  return 0;
}

int64_t element_budget(Tier tier) {
  switch (tier) {
    case Tier::kSmoke: return int64_t{1} << 15;
    case Tier::kCi: return int64_t{1} << 18;
    case Tier::kNightly: return int64_t{1} << 20;
  }
  return 0;
}

}  // namespace opkit::verify
