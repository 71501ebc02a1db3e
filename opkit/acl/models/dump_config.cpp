// The JSON file of aclmdlSetDump.
#include <ctime>

#include "opkit/acl/base/error.h"
#include "opkit/acl/models/dump.h"
#include "opkit/base/document.h"

namespace opkit::acl {
namespace {

namespace fs = std::filesystem;

Error bad_value(const Value& at, const std::string& key, const std::string& given,
                const std::string& wanted) {
  return Error("OPK-ACL-001", key + " is '" + given + "'", "write " + wanted).at(at.where);
}

// Reads the member's text, which is one of `words`; leaves `word` alone where the member is absent.
Status read_word(const Value& map, const char* key, const std::vector<std::string>& words,
                 std::string& word) {
  const Value* const value = map.find(key);
  if (!value) return {};
  OPKIT_TRY(word, value->as_string(key));
  std::string all;
  for (const std::string& one : words) {
    if (one == word) return {};
    all += (all.empty() ? "" : " or ") + one;
  }
  return bad_value(*value, key, word, all);
}

Status read_target(const Value& value, DumpTarget& target) {
  OPKIT_CHECK(value.check_keys("dump_list", {"model_name", "layer"}));
  if (const Value* const name = value.find("model_name")) {
    OPKIT_TRY(target.model, name->as_string("model_name"));
  }
  if (const Value* const layers = value.find("layer")) {
    if (!layers->is_list()) return bad_value(*layers, "layer", layers->text, "a list of names");
    for (const Value& layer : layers->items) {
      OPKIT_TRY(std::string name, layer.as_string("layer"));
      target.layers.push_back(std::move(name));
    }
  }
  if (!target.model.empty() || !target.layers.empty()) return {};
  return bad_value(value, "an entry of dump_list", "", "its model_name or layer");
}

// The folder of this session: that of dump_path, and in it one for the time.
Status read_folder(const Value& dump, fs::path& folder) {
  const Value* const path = dump.find("dump_path");
  if (!path) return bad_value(dump, "dump_path", "", "a folder that is there");
  OPKIT_TRY(const std::string text, path->as_string("dump_path"));
  if (!fs::is_directory(text)) return bad_value(*path, "dump_path", text, "a folder that is there");
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  localtime_r(&now, &parts);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &parts);
  folder = fs::path(text) / stamp;
  return {};
}

Status read(const Value& root, DumpSession& session) {
  const Value* const dump = root.find("dump");
  if (!dump || !dump->is_map()) return bad_value(root, "dump", "", "an object of that name");
  OPKIT_CHECK(dump->check_keys("dump", {"dump_path", "dump_mode", "dump_list", "dump_op_switch",
                                        "dump_data", "dump_level", "dump_debug"}));
  std::string mode = "output", unused;
  OPKIT_CHECK(read_word(*dump, "dump_mode", {"output", "input", "all"}, mode));
  OPKIT_CHECK(read_word(*dump, "dump_op_switch", {"off"}, unused));
  OPKIT_CHECK(read_word(*dump, "dump_data", {"tensor"}, unused));
  OPKIT_CHECK(read_word(*dump, "dump_level", {"op", "all"}, unused));
  OPKIT_CHECK(read_word(*dump, "dump_debug", {"off"}, unused));
  OPKIT_CHECK(read_folder(*dump, session.folder));
  session.inputs = mode != "output";
  session.outputs = mode != "input";
  const Value* const list = dump->find("dump_list");
  if (!list || !list->is_list() || list->items.empty())
    return bad_value(list ? *list : *dump, "dump_list", "", "at least one model or layer");
  for (const Value& item : list->items)
    OPKIT_CHECK(read_target(item, session.targets.emplace_back()));
  return {};
}

}  // namespace

aclError read_dump_config(const char* path, std::shared_ptr<DumpSession>& session) {
  if (!fs::is_regular_file(path))
    return fail(ACL_ERROR_INVALID_FILE, "aclmdlSetDump: there is no file %s", path);
  const auto document = Document::load(path);
  if (!document.ok()) return fail(ACL_ERROR_INVALID_DUMP_CONFIG, document.error());
  auto made = std::make_shared<DumpSession>();
  const Status done = read(document->root(), *made);
  if (!done.ok()) return fail(ACL_ERROR_INVALID_DUMP_CONFIG, done.error());
  session = std::move(made);
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
