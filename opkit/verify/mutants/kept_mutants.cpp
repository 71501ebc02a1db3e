#include "opkit/verify/mutants/kept_mutants.h"

#include <array>

#include "opkit/base/digest.h"

namespace opkit::verify {
namespace {

constexpr std::array kFates = {Fate::kKilled, Fate::kSurvived, Fate::kEquivalent, Fate::kStillborn};

std::optional<Fate> fate_named(const std::string& name) {
  for (const Fate fate : kFates) {
    if (name_of(fate) == name) return fate;
  }
  return std::nullopt;
}

}  // namespace

Json mutant_json(const MutantResult& mutant) {
  return {{"file", mutant.file},     {"line", mutant.line},   {"what", mutant.what},
          {"before", mutant.before}, {"after", mutant.after}, {"fate", name_of(mutant.fate)},
          {"tier", mutant.tier},     {"by", mutant.by}};
}

KeptMutants::KeptMutants(ResultsStore store, std::string op, std::string digest)
    : store_(std::move(store)), op_(std::move(op)), digest_(std::move(digest)) {}

Result<KeptMutants> KeptMutants::open(const std::filesystem::path& folder, const std::string& op,
                                      const std::string& everything) {
  OPKIT_TRY(ResultsStore store, ResultsStore::open(folder));
  return KeptMutants(std::move(store), op, sha256_hex(everything));
}

std::string KeptMutants::key(const std::string& what) const {
  return sha256_hex(digest_ + "\n" + what);
}

std::optional<MutantResult> KeptMutants::find(const std::string& what) const {
  const auto text = store_.mutant(key(what));
  if (!text) return std::nullopt;
  const Json json = Json::parse(*text).value_or(Json());
  const auto said = [&](const char* name) { return json[name].text_or(""); };
  const auto fate = fate_named(said("fate"));
  if (!fate) return std::nullopt;
  const auto line = static_cast<int>(json["line"].whole().value_or(0));
  return MutantResult{said("file"),  line,  said("what"), said("before"),
                      said("after"), *fate, said("tier"), said("by")};
}

void KeptMutants::keep(const std::string& what, const MutantResult& result) {
  store_.record_mutant(op_, key(what), mutant_json(result).dump(0));
}

}  // namespace opkit::verify
