// Console: the one place through which a command speaks. Results go to stdout, progress, notes and
// errors to stderr. With --json stdout carries exactly one JSON document, an error included. What
// others have written, plugins and contracts, reaches no terminal as more than text (plain_text.h).
#ifndef OPKIT_CLI_TERMINAL_CONSOLE_H_
#define OPKIT_CLI_TERMINAL_CONSOLE_H_

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "opkit/base/json.h"
#include "opkit/base/status.h"
#include "opkit/cli/terminal/color.h"

namespace opkit::cli {

class Console {
 public:
  struct Setup {
    bool json = false;
    bool quiet = false;
    ColorMode color = ColorMode::kAuto;
  };
  explicit Console(Setup setup);

  bool json() const { return setup_.json; }
  // Progress is wanted: not quiet.
  bool progress() const { return !setup_.quiet; }
  bool is_terminal() const { return terminal_; }  // stderr
  const Palette& out() const { return out_; }
  const Palette& err() const { return err_; }

  // Text for people on stdout; nothing with --json.
  void print(std::string_view text);
  // The document; nothing without --json. Call it once.
  void emit(const Json& document);
  // emit or print, whichever is asked for.
  void show(const Json& document, std::string_view text);
  // Bytes that are the result itself (a schema, a script), whatever the mode.
  void raw(std::string_view text);
  // Writes an error, a warning or a note on stderr; of equal warnings and notes the first one.
  void note(const Error& error);
  void say(std::string_view text);  // stderr
  // In place of the line at the cursor of the terminal that is stderr.
  void redraw(std::string_view line);
  // Workers ran, or may run: what this host does not offer to confine them, or nothing. The first
  // lack is noted (OPK-WORKER-011), and the document says which.
  void confined(const std::string& lacks);

  // The error on stderr, or {"error": ...} on stdout with --json; `extra` joins the document.
  void fail(const Error& error, Json extra = Json::object());

  // False when stdout could not be written.
  bool flush();

 private:
  Setup setup_;
  bool terminal_;
  Palette out_, err_;
  std::optional<std::string> lacks_;
  std::set<std::string> noted_;  // warnings and notes that were written
};

Json to_json(const Error& error);
Json to_json(const Errors& errors);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_CONSOLE_H_
