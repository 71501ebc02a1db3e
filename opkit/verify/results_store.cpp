#include "opkit/verify/results_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>

namespace opkit::verify {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS result("
    " op TEXT, contract TEXT, plugin TEXT, line TEXT, verdict INTEGER, reason TEXT, code TEXT,"
    " labels TEXT, elements INTEGER, tiling_key INTEGER, block_dim INTEGER, moment INTEGER,"
    " PRIMARY KEY(contract, plugin, line));"
    "CREATE TABLE IF NOT EXISTS failure(op TEXT, line TEXT, reason TEXT, moment INTEGER,"
    " PRIMARY KEY(op, line));"
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;";
constexpr int kMostFailures = 50;  // replayed

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
  bool step() { return sqlite3_step(statement_) == SQLITE_ROW; }
  std::string text_at(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text == nullptr ? std::string() : std::string(text);
  }
  int64_t number_at(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 0;
};

int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  size_t from = 0;
  while (from < text.size()) {
    const size_t to = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
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
  const std::filesystem::path path = directory / "results.sqlite";
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
  Statement(database_->handle, "INSERT OR REPLACE INTO result VALUES(?,?,?,?,?,?,?,?,?,?,?,?)")
      .text(op)
      .text(contract)
      .text(plugin)
      .text(result.line)
      .number(static_cast<int64_t>(result.verdict))
      .text(result.reason)
      .text(result.code)
      .text(fmt::format("{}", fmt::join(result.labels, "\n")))
      .number(result.elements)
      .number(static_cast<int64_t>(result.tiling_key))
      .number(result.block_dim)
      .number(now())
      .step();
  if (result.verdict == Verdict::kFailed) {
    Statement(database_->handle, "INSERT OR REPLACE INTO failure VALUES(?,?,?,?)")
        .text(op)
        .text(result.line)
        .text(result.reason)
        .number(now())
        .step();
  } else {
    Statement(database_->handle, "DELETE FROM failure WHERE op=? AND line=?")
        .text(op)
        .text(result.line)
        .step();
  }
}

std::optional<ProblemResult> ResultsStore::passed(const std::string& contract,
                                                  const std::string& plugin,
                                                  const std::string& line) const {
  Statement query(database_->handle,
                  "SELECT labels, elements, tiling_key, block_dim FROM result"
                  " WHERE contract=? AND plugin=? AND line=? AND verdict=0");
  if (!query.text(contract).text(plugin).text(line).step()) return std::nullopt;
  ProblemResult result;
  result.line = line;
  result.labels = lines_of(query.text_at(0));
  result.elements = query.number_at(1);
  result.tiling_key = static_cast<uint64_t>(query.number_at(2));
  result.block_dim = static_cast<uint32_t>(query.number_at(3));
  result.ran = true;
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

}  // namespace opkit::verify
