// `opkit completion <shell>` prints a script; the script asks `opkit __complete <words>`.
#include <map>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

constexpr const char* kBash =
    R"(# bash completion of opkit. Load it with: source <(opkit completion bash)
_opkit() {
  local line files= folders=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) files=1 ;;
      :folders) folders=1 ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  elif [ -n "$folders" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _opkit opkit
)";

constexpr const char* kZsh = R"(#compdef opkit
# zsh completion of opkit. Load it with: source <(opkit completion zsh)
_opkit() {
  local line word meaning
  local -a replies
  local files folders
  for line in "${(@f)$("${words[1]}" __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files) files=1 ;;
      :folders) folders=1 ;;
      ?*)
        word=${line%%$'\t'*}
        meaning=${line#*$'\t'}
        replies+=("${word//:/\\:}:$meaning")
        ;;
    esac
  done
  (( ${#replies} )) && _describe -t opkit 'opkit' replies
  [[ -n $files ]] && _files
  [[ -n $folders ]] && _files -/
  return 0
}
(( $+functions[compdef] )) && compdef _opkit opkit
)";

constexpr const char* kFish =
    R"(# fish completion of opkit. Load it with: opkit completion fish | source
function __opkit_replies
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete -- $words[2..-1] 2>/dev/null
end
function __opkit_complete
    __opkit_replies | string match -v -- ':*'
end
function __opkit_wants_files
    __opkit_replies | string match -q -r -- '^:(files|folders)$'
end
complete -c opkit -f -a '(__opkit_complete)'
complete -c opkit -n __opkit_wants_files -F
)";

Outcome run_completion(const Arguments& arguments, Console& console) {
  static const std::map<std::string, const char*> scripts = {
      {"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  const std::string shell = arguments.get("shell");
  const std::string script = scripts.at(shell);
  console.show({{"shell", shell}, {"script", script}}, script);
  return kOk;
}

}  // namespace

Command completion_command() {
  return {
      .name = "completion",
      .summary = "a script that completes opkit's commands in your shell",
      .details = "",
      .positionals = {{.name = "shell",
                       .help = "bash, zsh or fish",
                       .choices = {"bash", "zsh", "fish"}}},
      .flags = {},
      .examples = {{"source <(opkit completion bash)",
                    "for this shell; put it into ~/.bashrc to keep it"},
                   {"opkit completion fish > ~/.config/fish/completions/opkit.fish", "for fish"}},
      .run = run_completion,
  };
}

}  // namespace opkit::cli
