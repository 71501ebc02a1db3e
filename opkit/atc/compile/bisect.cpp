#include "opkit/atc/compile/bisect.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::compile {
namespace {

using Fusions = std::vector<FusionId>;

class Bisecting {
 public:
  Bisecting(Compiled compiled, const InstalledOps& ops, Options options)
      : ops_(ops), options_(std::move(options)), file_(compiled) {
    result_.compiled = std::move(compiled);
  }

  Result<Bisection> run() {
    for (;;) {
      auto proof = prove(result_.compiled, ops_, file_);
      if (proof.ok()) {
        result_.proof = std::move(proof).value();
        return std::move(result_);
      }
      OPKIT_TRY(const Fusions guilty, guilty_of(proof.error()));
      if (guilty.empty()) return std::move(proof).error();
      drop(guilty, proof.error());
      OPKIT_TRY(result_.compiled, compile(result_.compiled.before, ops_, options_));
    }
  }

 private:
  Result<Fusions> guilty_of(const Error& error) {
    if (error.is(Cause::kHostLacks)) return error;
    if (error.is(Cause::kWrongKernel) || error.is(Cause::kWorker)) {
      const auto wrong = wrong_fusion(result_.compiled);
      return wrong ? Fusions{*wrong} : Fusions();
    }
    if (!error.is(Cause::kWrongCover)) return Fusions();
    return halved(chosen_fusions(result_.compiled));
  }

  // The half that moves the output alone, until one fusion is left.
  Result<Fusions> halved(Fusions fusions) {
    while (fusions.size() > 1) {
      const auto middle = fusions.begin() + static_cast<std::ptrdiff_t>(fusions.size() / 2);
      const Fusions first(fusions.begin(), middle), second(middle, fusions.end());
      OPKIT_TRY(const bool first_moves, moves(first));
      OPKIT_TRY(const bool second_moves, first_moves ? Result<bool>(false) : moves(second));
      if (!first_moves && !second_moves) return fusions;
      fusions = first_moves ? first : second;
    }
    return fusions;
  }

  Result<bool> moves(const Fusions& fusions) {
    Options options = options_;
    options.candidates.only.emplace(fusions.begin(), fusions.end());
    OPKIT_TRY(const Compiled compiled, compile(result_.compiled.before, ops_, options));
    const auto proof = compare_covers(compiled, ops_, file_);
    if (proof.ok()) return false;
    if (proof.error().is(Cause::kWrongCover)) return true;
    return proof.error();
  }

  void drop(const Fusions& fusions, const Error& error) {
    for (const FusionId& id : fusions) {
      options_.candidates.dropped.insert(id);
      result_.dropped.push_back({id, nodes_of(result_.compiled, id), error.message});
    }
  }

  static Fusions chosen_fusions(const Compiled& compiled) {
    Fusions fusions;
    for (const size_t c : compiled.cover.chosen) {
      const Candidate& candidate = compiled.candidates.all[c];
      if (candidate.is_fused()) fusions.push_back(id_of(candidate.match));
    }
    for (const CompiledBody& body : compiled.bodies) {
      const Fusions inside = chosen_fusions(*body.compiled);
      fusions.insert(fusions.end(), inside.begin(), inside.end());
    }
    return fusions;
  }

  static std::string nodes_of(const Compiled& compiled, const FusionId& id) {
    for (const size_t c : compiled.cover.chosen) {
      const Candidate& candidate = compiled.candidates.all[c];
      if (candidate.taker == Taker::kPlugin && id_of(candidate.match) == id)
        return candidate.node_names(compiled.graph);
    }
    for (const CompiledBody& body : compiled.bodies) {
      std::string inside = nodes_of(*body.compiled, id);
      if (inside != id.second) return inside;
    }
    return id.second;
  }

  const InstalledOps& ops_;
  Options options_;
  FileReference file_;
  Bisection result_;
};

}  // namespace

Result<Bisection> bisect(Compiled compiled, const InstalledOps& ops, Options options) {
  return Bisecting(std::move(compiled), ops, std::move(options)).run();
}

std::string bisection_text(const Bisection& bisection) {
  std::string text;
  for (const DroppedFusion& one : bisection.dropped)
    text += fmt::format("dropped {} at '{}': {}\n", one.id.first, one.nodes, one.why);
  return text + proof_text(bisection.proof);
}

}  // namespace opkit::compile
