#include "opkit/verify/results_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>

#include "opkit/verify/kept_result.h"

namespace opkit::verify {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS judged("
    " op TEXT, contract TEXT, plugin TEXT, line TEXT, verdict TEXT, reason TEXT, code TEXT,"
    " moment INTEGER, result BLOB, PRIMARY KEY(contract, plugin, line));"
    "CREATE TABLE IF NOT EXISTS failure(op TEXT, line TEXT, reason TEXT, moment INTEGER,"
    " PRIMARY KEY(op, line));"
    "CREATE TABLE IF NOT EXISTS mutant(digest TEXT PRIMARY KEY, op TEXT, fate TEXT, moment "
    "INTEGER);"
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;";
constexpr int kMostFailures = 50;  // replayed
constexpr const char* kFile = "results.sqlite";

constexpr const char* kTakeJudged =
    "INSERT OR REPLACE INTO main.judged SELECT o.* FROM other.judged o LEFT JOIN main.judged j"
    " ON j.contract = o.contract AND j.plugin = o.plugin AND j.line = o.line"
    " WHERE j.moment IS NULL OR j.moment < o.moment";
constexpr const char* kTakeMutants =
    "INSERT OR REPLACE INTO main.mutant SELECT o.* FROM other.mutant o LEFT JOIN main.mutant m"
    " ON m.digest = o.digest WHERE m.moment IS NULL OR m.moment < o.moment";
// Forgets failures of lines that passed later, wherever that was.
constexpr const char* kTakeFailures =
    "INSERT OR REPLACE INTO main.failure SELECT o.* FROM other.failure o LEFT JOIN main.failure f"
    " ON f.op = o.op AND f.line = o.line WHERE f.moment IS NULL OR f.moment < o.moment;"
    "DELETE FROM main.failure WHERE EXISTS (SELECT 1 FROM main.judged j WHERE j.op = failure.op"
    " AND j.line = failure.line AND j.verdict <> 'FAILED' AND j.moment > failure.moment)";

Error no_store(const std::filesystem::path& directory, const std::string& why) {
  return Error("OPK-VERIFY-043",
               fmt::format("no results can be taken from {}: {}", directory.string(), why),
               "name the folders that opkit test --results wrote");
}

// One prepared statement, used once.
class Statement {
 public:
  Statement(sqlite3* db, const char* sql) { sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& text(const std::string& value) {
    sqlite3_bind_text(statement_, ++next_, value.c_str(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Statement& number(int64_t value) {
    sqlite3_bind_int64(statement_, ++next_, value);
    return *this;
  }
  Statement& bytes(const std::vector<uint8_t>& value) {
    sqlite3_bind_blob64(statement_, ++next_, value.data(), value.size(), SQLITE_TRANSIENT);
    return *this;
  }
  bool step() { return sqlite3_step(statement_) == SQLITE_ROW; }
  std::string text_at(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr ? std::string() : std::string(text);
  }
  std::vector<uint8_t> bytes_at(int column) const {
    const auto* bytes = static_cast<const uint8_t*>(sqlite3_column_blob(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? std::vector<uint8_t>() : std::vector<uint8_t>(bytes, bytes + size);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 0;
};

int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Copies the capsules of failures that the results name. Error: OPK-VERIFY-040.
Status copy_capsules(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(from, failure)) {
    const std::filesystem::path name = entry.path().filename();
    if (!name.string().ends_with(".capsule.json")) continue;
    std::filesystem::copy_file(entry.path(), to / name,
                               std::filesystem::copy_options::overwrite_existing, failure);
    if (failure) break;
  }
  if (!failure) return {};
  return Error("OPK-VERIFY-040",
               fmt::format("cannot copy the capsules of {} to {}: {}", from.string(), to.string(),
                           failure.message()),
               "choose a directory that can be written");
}

}  // namespace

struct ResultsStore::Database {
  sqlite3* handle = nullptr;
  ~Database() { sqlite3_close(handle); }
};

ResultsStore::ResultsStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
ResultsStore::ResultsStore(ResultsStore&&) noexcept = default;
ResultsStore& ResultsStore::operator=(ResultsStore&&) noexcept = default;
ResultsStore::~ResultsStore() = default;

Result<ResultsStore> ResultsStore::open(const std::filesystem::path& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  const std::filesystem::path path = directory / kFile;
  auto database = std::make_unique<Database>();
  char* message = nullptr;
  const bool opened =
      sqlite3_open(path.c_str(), &database->handle) == SQLITE_OK &&
      sqlite3_busy_timeout(database->handle, 5000) == SQLITE_OK &&
      sqlite3_exec(database->handle, kSchema, nullptr, nullptr, &message) == SQLITE_OK;
  const std::string reason = message != nullptr ? message : sqlite3_errmsg(database->handle);
  sqlite3_free(message);
  if (opened) return ResultsStore(std::move(database));
  return Error("OPK-VERIFY-040",
               fmt::format("cannot keep results in {}: {}", path.string(), reason),
               "choose a directory that can be written, or remove the damaged file");
}

void ResultsStore::record(const std::string& op, const std::string& contract,
                          const std::string& plugin, const ProblemResult& result) {
  Statement(database_->handle, "INSERT OR REPLACE INTO judged VALUES(?,?,?,?,?,?,?,?,?)")
      .text(op)
      .text(contract)
      .text(plugin)
      .text(result.line)
      .text(std::string(name_of(result.verdict)))
      .text(result.reason)
      .text(result.code)
      .number(now())
      .bytes(to_bytes(result))
      .step();
  if (result.verdict == Verdict::kFailed) {
    Statement(database_->handle, "INSERT OR REPLACE INTO failure VALUES(?,?,?,?)")
        .text(op)
        .text(result.line)
        .text(result.reason)
        .number(now())
        .step();
  } else {
    forget(op, result.line);
  }
}

void ResultsStore::forget(const std::string& op, const std::string& line) {
  Statement(database_->handle, "DELETE FROM failure WHERE op=? AND line=?")
      .text(op)
      .text(line)
      .step();
}

std::optional<ProblemResult> ResultsStore::judged(const std::string& contract,
                                                  const std::string& plugin,
                                                  const std::string& line) const {
  Statement query(database_->handle,
                  "SELECT result FROM judged WHERE contract=? AND plugin=? AND line=?");
  if (!query.text(contract).text(plugin).text(line).step()) return std::nullopt;
  auto result = result_from(query.bytes_at(0));
  if (!result || result->line != line || result->verdict == Verdict::kFailed) return std::nullopt;
  return result;
}

std::vector<std::string> ResultsStore::failures(const std::string& op) const {
  Statement query(database_->handle,
                  "SELECT line FROM failure WHERE op=? ORDER BY moment DESC LIMIT ?");
  query.text(op).number(kMostFailures);
  std::vector<std::string> lines;
  while (query.step()) lines.push_back(query.text_at(0));
  return lines;
}

void ResultsStore::record_mutant(const std::string& op, const std::string& digest,
                                 const std::string& fate) {
  Statement(database_->handle, "INSERT OR REPLACE INTO mutant VALUES(?,?,?,?)")
      .text(digest)
      .text(op)
      .text(fate)
      .number(now())
      .step();
}

std::optional<std::string> ResultsStore::mutant(const std::string& digest) const {
  Statement query(database_->handle, "SELECT fate FROM mutant WHERE digest=?");
  if (!query.text(digest).step()) return std::nullopt;
  return query.text_at(0);
}

Status ResultsStore::execute(const char* sql, const std::filesystem::path& from) {
  char* message = nullptr;
  if (sqlite3_exec(database_->handle, sql, nullptr, nullptr, &message) == SQLITE_OK) return {};
  const std::string reason = message != nullptr ? message : sqlite3_errmsg(database_->handle);
  sqlite3_free(message);
  return no_store(from, reason);
}

Result<TakenOver> ResultsStore::take_over(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / kFile;
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none))
    return no_store(directory, fmt::format("it has no {}", kFile));
  const char* own = sqlite3_db_filename(database_->handle, "main");
  if (own != nullptr && std::filesystem::equivalent(file, own, none))
    return no_store(directory, "results are merged into this folder");
  // Brings the tables of an older store up to date.
  if (const auto other = open(directory); !other.ok())
    return no_store(directory, other.error().message);
  Statement(database_->handle, "ATTACH DATABASE ? AS other").text(file.string()).step();
  TakenOver taken;
  OPKIT_CHECK(execute("BEGIN", directory));
  Status done = execute(kTakeJudged, directory);
  taken.judged = sqlite3_changes(database_->handle);
  if (done.ok()) done = execute(kTakeMutants, directory);
  taken.mutants = sqlite3_changes(database_->handle);
  if (done.ok()) done = execute(kTakeFailures, directory);
  OPKIT_CHECK(execute(done.ok() ? "COMMIT; DETACH other" : "ROLLBACK; DETACH other", directory));
  OPKIT_CHECK(done);
  if (own != nullptr)
    OPKIT_CHECK(copy_capsules(directory, std::filesystem::path(own).parent_path()));
  return taken;
}

}  // namespace opkit::verify
