#include "opkit/tuning/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>

#include "opkit/contract/tuning.h"

namespace opkit::tuning {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS candidate("
    " op TEXT, version TEXT, contract TEXT, plugin TEXT, inputs TEXT, attrs TEXT, soc TEXT,"
    " figures TEXT, knobs TEXT, verdict INTEGER, code TEXT, reason TEXT, tiling TEXT,"
    " bound INTEGER, ns INTEGER, cycles INTEGER, instructions INTEGER, bytes INTEGER,"
    " workspace INTEGER, blocks INTEGER, exact INTEGER, score REAL, moment INTEGER,"
    " PRIMARY KEY(contract, plugin, inputs, attrs, soc, figures, knobs));"
    "CREATE TABLE IF NOT EXISTS change("
    " op TEXT, version TEXT, plugin TEXT, inputs TEXT, attrs TEXT, soc TEXT, figures TEXT,"
    " knob TEXT, was TEXT, became TEXT, was_ns INTEGER, became_ns INTEGER, kept INTEGER,"
    " PRIMARY KEY(op, version, plugin, inputs, attrs, soc, figures, knob, was, became));";
constexpr const char* kChanged =
    "op, version, plugin, inputs, attrs, soc, figures, knob, was, became, was_ns, became_ns, kept";
constexpr const char* kMode = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;";
constexpr const char* kColumns =
    "op, version, contract, plugin, inputs, attrs, soc, figures, knobs, verdict, code, reason,"
    " tiling, bound, ns, cycles, instructions, bytes, workspace, blocks, exact, score, moment";
constexpr int kWaits = 10000;  // milliseconds for another process

class Query {
 public:
  Query(sqlite3* db, const std::string& sql) {
    sqlite3_prepare_v2(db, sql.c_str(), -1, &query_, nullptr);
  }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() { sqlite3_finalize(query_); }

  Query& text(const std::string& value) {
    sqlite3_bind_text(query_, ++next_, value.c_str(), static_cast<int>(value.size()),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Query& number(uint64_t value) {
    sqlite3_bind_int64(query_, ++next_, static_cast<int64_t>(value));
    return *this;
  }
  Query& real(double value) { return sqlite3_bind_double(query_, ++next_, value), *this; }
  bool row() { return sqlite3_step(query_) == SQLITE_ROW; }
  bool done() { return sqlite3_step(query_) == SQLITE_DONE; }
  std::string text_at(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query_, column));
    return text == nullptr ? std::string() : std::string(text);
  }
  uint64_t number_at(int column) const {
    return static_cast<uint64_t>(sqlite3_column_int64(query_, column));
  }
  double real_at(int column) const { return sqlite3_column_double(query_, column); }

 private:
  sqlite3_stmt* query_ = nullptr;
  int next_ = 0;
};

// "tile=4096, cores=8", as knobs_text writes it.
AttrValues knobs_of(const std::string& text) {
  AttrValues knobs;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(", ", begin), text.size());
    const size_t equals = text.find('=', begin);
    if (equals == std::string::npos || equals > end) break;
    knobs[std::string(kKnobPrefix) + text.substr(begin, equals - begin)] =
        static_cast<int64_t>(std::strtoll(text.c_str() + equals + 1, nullptr, 10));
    begin = end + 2;
  }
  return knobs;
}

// Reads what a file may say in any way.
RowVerdict verdict_of(uint64_t number) {
  return number <= static_cast<uint64_t>(RowVerdict::kRight) ? static_cast<RowVerdict>(number)
                                                             : RowVerdict::kNew;
}

StoredRow stored_at(const Query& query) {
  StoredRow stored;
  int at = 0;
  TunedCall& s = stored.subject;
  for (std::string* text :
       {&s.op, &s.version, &s.contract, &s.plugin, &s.inputs, &s.attrs, &s.soc, &s.figures})
    *text = query.text_at(at++);
  TuningRow& row = stored.row;
  row.knobs = knobs_of(query.text_at(at++));
  row.verdict = verdict_of(query.number_at(at++));
  for (std::string* text : {&row.code, &row.reason, &row.tiling}) *text = query.text_at(at++);
  for (uint64_t* number : {&row.bound_ns, &row.ns, &row.cycles, &row.instructions, &row.gm_bytes,
                           &row.workspace_bytes})
    *number = query.number_at(at++);
  row.block_dim = static_cast<uint32_t>(query.number_at(at++));
  row.exact = query.number_at(at++) != 0;
  row.score = query.real_at(at++);
  stored.moment = static_cast<int64_t>(query.number_at(at));
  row.kept = true;
  return stored;
}

uint64_t milliseconds_now() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

Error cannot_keep(const std::string& file, const std::string& reason) {
  return Error("OPK-TUNE-005", fmt::format("cannot keep measurements in {}: {}", file, reason),
               "name a file that can be written with --store, or remove the damaged one");
}

}  // namespace

struct Store::Database {
  sqlite3* handle = nullptr;
  std::string file;
  ~Database() { sqlite3_close(handle); }
  Error error() const { return cannot_keep(file, sqlite3_errmsg(handle)); }
  bool run(const char* sql) {
    return sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
};

Store::Store(std::unique_ptr<Database> database) : database_(std::move(database)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
  auto database = std::make_unique<Database>();
  database->file = file.string();
  const bool opened = sqlite3_open(file.c_str(), &database->handle) == SQLITE_OK &&
                      sqlite3_busy_timeout(database->handle, kWaits) == SQLITE_OK &&
                      database->run(kMode) && database->run(kSchema);
  if (!opened) return database->error();
  return Store(std::move(database));
}

std::optional<TuningRow> Store::find(const TunedCall& s, const AttrValues& knobs) const {
  Query query(database_->handle,
              fmt::format("SELECT {} FROM candidate WHERE contract=? AND plugin=? AND inputs=? AND "
                          "attrs=? AND soc=? AND figures=? AND knobs=?",
                          kColumns));
  query.text(s.contract).text(s.plugin).text(s.inputs).text(s.attrs).text(s.soc).text(s.figures);
  if (!query.text(knobs_text(knobs)).row()) return std::nullopt;
  return stored_at(query).row;
}

Status Store::add(const TunedCall& s, const std::vector<const TuningRow*>& rows) {
  if (!database_->run("BEGIN IMMEDIATE")) return database_->error();
  for (const TuningRow* row : rows) {
    Query query(
        database_->handle,
        fmt::format("INSERT OR REPLACE INTO candidate({}) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
                    "?,?,?,?,?,?,?,?,?)",
                    kColumns));
    for (const std::string* text :
         {&s.op, &s.version, &s.contract, &s.plugin, &s.inputs, &s.attrs, &s.soc, &s.figures})
      query.text(*text);
    query.text(knobs_text(row->knobs)).number(static_cast<uint64_t>(row->verdict));
    query.text(row->code).text(row->reason).text(row->tiling).number(row->bound_ns);
    query.number(row->ns).number(row->cycles).number(row->instructions).number(row->gm_bytes);
    query.number(row->workspace_bytes).number(row->block_dim).number(row->exact);
    if (query.real(row->score).number(milliseconds_now()).done()) continue;
    Error error = database_->error();
    database_->run("ROLLBACK");
    return error;
  }
  return database_->run("COMMIT") ? Status() : Status(database_->error());
}

Status Store::add(const std::vector<Trial>& trials) {
  for (const Trial& one : trials) {
    Query query(database_->handle,
                fmt::format("INSERT OR REPLACE INTO change({}) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
                            kChanged));
    const TunedCall& s = one.subject;
    query.text(s.op).text(s.version).text(s.plugin).text(s.inputs).text(s.attrs).text(s.soc);
    query.text(s.figures).text(one.knob).text(one.before).text(one.after);
    query.number(one.before_ns).number(one.after_ns).number(one.kept);
    if (!query.done()) return database_->error();
  }
  return {};
}

std::vector<StoredRow> Store::rows(const std::string& op) const {
  Query query(database_->handle,
              fmt::format("SELECT {} FROM candidate WHERE ?='' OR op=? ORDER BY op, soc, inputs, "
                          "attrs, score, knobs",
                          kColumns));
  query.text(op).text(op);
  std::vector<StoredRow> all;
  while (query.row()) all.push_back(stored_at(query));
  return all;
}

std::vector<Trial> Store::trials(const std::string& op) const {
  Query query(
      database_->handle,
      fmt::format("SELECT {} FROM change WHERE ?='' OR op=? ORDER BY op, soc, inputs, attrs, "
                  "version, plugin, figures, knob, became_ns, became",
                  kChanged));
  query.text(op).text(op);
  std::vector<Trial> all;
  while (query.row()) {
    Trial& one = all.emplace_back();
    int at = 0;
    TunedCall& s = one.subject;
    for (std::string* text : {&s.op, &s.version, &s.plugin, &s.inputs, &s.attrs, &s.soc, &s.figures,
                              &one.knob, &one.before, &one.after})
      *text = query.text_at(at++);
    one.before_ns = query.number_at(at++);
    one.after_ns = query.number_at(at++);
    one.kept = query.number_at(at) != 0;
  }
  return all;
}

}  // namespace opkit::tuning
