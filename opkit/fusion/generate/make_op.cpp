#include "opkit/fusion/generate/make_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/build/project/project_build.h"
#include "opkit/build/project/scratch.h"
#include "opkit/call/execute/generated_ops.h"
#include "registry/install.h"

namespace opkit::generate {
namespace {

namespace fs = std::filesystem;

Error cannot_be_used(const ChainOp& op, const std::string& why) {
  return Error("OPK-ATC-004",
               fmt::format("the chain of {} is not made into a kernel: {}", op.operators, why),
               "nothing: the model is compiled with the installed ops");
}

// Before anything is built.
Status check_chip(const ChainOp& op, const std::string& soc) {
  OPKIT_TRY(const OpContract contract,
            OpContract::parse(op.files.at("op_contract.yaml"), "op_contract.yaml"));
  const auto has = [&](const std::string& name) {
    return std::count(contract.soc.begin(), contract.soc.end(), name) > 0;
  };
  if (contract.soc.empty() || has(soc) || has(registry::soc_family(soc))) return {};
  return cannot_be_used(
      op, fmt::format("its calls exist on {} only, not on {}", fmt::join(contract.soc, ", "), soc));
}

Result<registry::Package> build(const ChainOp& op, const Maker& maker, const fs::path& folder) {
  const fs::path project = folder / op.names.snake;
  OPKIT_TRY(const auto files,
            project::copy_template(maker.sdk.templates / "elementwise", maker.sdk.shared, project,
                                   op.names, op.files));
  project::BuildRequest request;
  request.project = project;
  request.sdk = maker.sdk;
  OPKIT_TRY(std::vector<registry::Package> packages, project::build_project(request, maker.events));
  return std::move(packages.front());
}

// Every distinct call of it in the graph.
Status prove(const ChainOp& op, const registry::Package& package, const graph::Graph& graph,
             const Maker& maker, const OpenPlugin& open) {
  InstalledOps alone(open);
  OPKIT_CHECK(alone.add(package));
  graph::Graph copy = graph;
  compile::CandidateOptions options;
  options.soc = maker.soc;
  OPKIT_TRY(const compile::Candidates found, compile::find_candidates(copy, {}, alone, options));
  std::set<std::string> proved;
  for (const compile::Candidate& candidate : found.all) {
    if (candidate.taker != compile::Taker::kPlugin) continue;
    if (!proved.insert(compile::key_of(candidate)).second) continue;
    OPKIT_TRY(const compile::KernelProof proof, compile::prove_call(copy, candidate));
    if (!proof.failure.empty()) return cannot_be_used(op, proof.failure);
  }
  if (!proved.empty()) return {};
  if (found.declined.empty()) return cannot_be_used(op, "its reference is not found in the model");
  const match::Refusal& refusal = found.declined.front().refusal;
  return cannot_be_used(op, fmt::format("{}: {}", match::name_of(refusal.guard), refusal.reason));
}

Status build_and_keep(const ChainOp& op, const graph::Graph& graph, const Maker& maker,
                      const OpenPlugin& open) {
  OPKIT_CHECK(check_chip(op, maker.soc));
  const project::Scratch scratch;
  OPKIT_CHECK(scratch.check());
  OPKIT_TRY(const registry::Package package, build(op, maker, scratch.path()));
  OPKIT_CHECK(prove(op, package, graph, maker, open));
  const registry::InstallRequest request{.source = package.root, .opp = generated_opp()};
  const auto installed = registry::install(request, registry::HostFacts::of_this_process());
  // Another compilation may have been faster: its op is as good.
  const bool there = generated_registry().resolve({.op = op.names.op, .soc = maker.soc}).ok();
  if (!installed.ok() && !there) return installed.error();
  return {};
}

}  // namespace

Status make_op(const ChainOp& op, const graph::Graph& graph, const Maker& maker, InstalledOps& ops,
               bool& built) {
  built = false;
  if (generated_opp().empty())
    return cannot_be_used(op, "there is no folder to keep it in; set OPKIT_CACHE_DIR or HOME");
  if (ops.add(generated_registry(), maker.soc, op.names.op).ok()) return {};
  OPKIT_CHECK(build_and_keep(op, graph, maker, ops.opens()));
  built = true;
  OPKIT_TRY(const InstalledOp* added, ops.add(generated_registry(), maker.soc, op.names.op));
  (void)added;
  return {};
}

}  // namespace opkit::generate
