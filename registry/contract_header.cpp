#include "registry/contract_header.h"

#include "opkit/base/document.h"

namespace opkit::registry {
namespace {

Error unreadable(Error error) {
  error.code = "OPK-PKG-005";
  error.message = "the contract is not readable: " + error.message;
  if (error.action.empty()) error.action = "run `opkit contract check` on it";
  return error;
}

Result<std::string> read_text(const Value& root, const char* key, Location& place) {
  const Value* value = root.find(key);
  if (value == nullptr) return Error("", std::string("it lacks '") + key + "'").at(root.where);
  place = value->where;
  return value->as_string(key);
}

Status read_socs(const Value& root, std::vector<std::string>& socs) {
  const Value* list = root.find("soc");
  if (list == nullptr) return {};
  if (!list->is_list()) return Error("", "'soc' must be a list").at(list->where);
  for (const Value& item : list->items) {
    OPKIT_TRY(std::string soc, item.as_string("soc"));
    socs.push_back(std::move(soc));
  }
  return {};
}

Result<ContractHeader> read(const std::filesystem::path& path) {
  OPKIT_TRY(const Document document, Document::load(path));
  if (!document.root().is_map()) return Error("", "it is not a map of keys").at({path.string(), 1});
  ContractHeader header;
  OPKIT_TRY(header.op, read_text(document.root(), "op", header.op_place));
  OPKIT_TRY(header.version, read_text(document.root(), "version", header.version_place));
  OPKIT_CHECK(read_socs(document.root(), header.socs));
  return header;
}

}  // namespace

Result<ContractHeader> read_contract_header(const std::filesystem::path& path) {
  Result<ContractHeader> header = read(path);
  if (!header) return unreadable(std::move(header).error());
  return header;
}

}  // namespace opkit::registry
