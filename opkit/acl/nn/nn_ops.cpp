#include "opkit/acl/nn/nn_ops.h"

#include <chrono>
#include <string_view>

#include "opkit/acl/base/environment.h"
#include "registry/opp_watch.h"

namespace opkit::acl {
namespace {

using registry::Package;
using registry::Registry;
using registry::Resolution;

constexpr std::chrono::seconds kPatienceForInstallers{5};

// Returns the version and its bytes: the manifest has the digests of all files.
std::string key_of(const Package& package) {
  return package.root.string() + ' ' + package.manifest.library_sha256;
}

// Opens an op with the contract that the library holds: its file may be another one by now.
Result<std::shared_ptr<const OpenedOp>> load(const Package& package) {
  registry::LoadOptions options;
  options.probe = false;  // it was probed when it was installed; here it runs in the program
  auto op = std::make_shared<OpenedOp>();
  op->package = package;
  OPKIT_CHECK(open_here(*op, options, std::make_shared<Runners>()));
  op->package = op->plugin->package();
  const std::string_view text(op->tables->contract, op->tables->contract_size);
  OPKIT_TRY(op->contract, OpContract::parse(text, package.contract_path().string()));
  return std::shared_ptr<const OpenedOp>(std::move(op));
}

// An installer may replace a package between its choice and its load.
Result<std::shared_ptr<const OpenedOp>> load_in_quiet(const Registry& registry,
                                                      const registry::Query& query,
                                                      const Package& package) {
  auto loaded = load(package);
  if (loaded.ok()) return loaded;
  const registry::OppWatch watch(registry.search_path().opp);
  watch.in_quiet(
      [&] {
        auto found = registry.resolve(query);
        loaded = found.ok() ? load(found->package) : std::move(found).error();
      },
      kPatienceForInstallers);
  return loaded;
}

}  // namespace

void NnOps::Known::conclude() {
  if (!canary || canary->verdict() == Canary::Verdict::kOpen) return;
  const std::string key = key_of(canary->now()->package);
  if (canary->verdict() == Canary::Verdict::kPromoted) {
    op = canary->now();
    served.insert(key);
  } else {
    refused.insert(key);
  }
  canary.reset();
}

Result<std::shared_ptr<const OpenedOp>> NnOps::load(const registry::Query& query,
                                                    const Package& package) {
  OPKIT_TRY(auto op, load_in_quiet(*registry_, query, package));
  registry_->remember();
  return op;
}

// Returns a package that the program does not know as the one that serves it.
Result<ServedOp> NnOps::meet(Known& known, const registry::Query& query,
                             std::shared_ptr<const Resolution> found) {
  const Package& package = found->package;
  const std::string key = key_of(package);
  known.resolution = found;
  known.canary.reset();
  if (known.refused.count(key) != 0) return known.answer();
  const bool untried = known.served.count(key) == 0 && switched_on("OPKIT_CANARY", true);
  auto loaded = load(query, package);
  if (!loaded.ok()) {
    if (!untried) return known.resolution.reset(), loaded.error();
    known.refused.insert(key);
    tell_refused(package, known.op->package, loaded.error().to_string());
  } else if (untried) {
    known.canary = std::make_shared<Canary>(known.op, *loaded);
  } else {
    known.op = *loaded;
    known.served.insert(key);
  }
  return known.answer();
}

Result<ServedOp> NnOps::find(const std::string& op, const std::string& soc) {
  const registry::Query query{.op = op, .soc = soc};
  Known& known = ops_[op];
  if (known.op) {
    known.conclude();
    OPKIT_TRY(std::shared_ptr<const Resolution> found, registry_->find(query));
    if (known.resolution == found) return known.answer();
    const std::string key = key_of(found->package);
    if (key == key_of(known.op->package)) {
      known.resolution = std::move(found);
      known.canary.reset();
      return known.answer();
    }
    if (known.canary && key == key_of(known.canary->now()->package)) {
      known.resolution = std::move(found);
      return known.answer();
    }
  }
  registry_.emplace(Registry::open());  // whom the OPP trusts may have changed
  OPKIT_TRY(std::shared_ptr<const Resolution> found, registry_->find(query));
  if (known.op) return meet(known, query, std::move(found));
  OPKIT_TRY(known.op, load(query, found->package));
  known.served.insert(key_of(found->package));
  known.resolution = std::move(found);
  return known.answer();
}

NnOps& nn_ops() {
  static NnOps& own = *new NnOps;
  return own;
}

}  // namespace opkit::acl
