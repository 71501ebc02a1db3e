#include "opkit/isolation/serve.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "opkit/isolation/channel.h"
#include "opkit/isolation/confinement.h"
#include "opkit/isolation/crash_handler.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/request_fields.h"
#include "opkit/isolation/served_plugin.h"

namespace opkit::isolation {
namespace {

constexpr int kSocket = 3, kInputs = 4, kOutputs = 5, kIncident = 6, kMailbox = 7;

class Server {
 public:
  Server(Incident& page, Mailbox& mailbox)
      : page_(page), channel_(mailbox, kSocket), memory_(kInputs, kOutputs) {}

  int run() {
    while (auto request = channel_.next()) {
      const Result<std::string> answer = this->answer(*request);
      // A plan that could not be kept is missed by the question that names it.
      if (request->ask == Ask::kPlan || request->ask == Ask::kForget) continue;
      if (answer.ok()) {
        channel_.answer(Reply::kAnswer, *answer);
      } else {
        channel_.answer(Reply::kError, wire::written(answer.error()));
      }
    }
    return 0;
  }

 private:
  Result<std::string> answer(const Request& request) {
    if (request.ask == Ask::kOpen) return open(request.body);
    if (request.ask == Ask::kResolve) return resolve(request.body);
    if (!plugin_) return Error("OPK-WORKER-006", "a worker without a plugin was asked", "");
    return plugin_->answer(request);
  }

  Result<std::string> open(const std::string& body) {
    OPKIT_TRY(const OpenRequest request, read_open_request(body));
    describe_end_on(page_, request.library);
    OpenAnswer answer;
    answer.confinement = confine(request.folder);
    plugin_.emplace(page_, memory_);
    OPKIT_TRY(answer.rows, plugin_->load(request));
    page_.phase.store(static_cast<uint32_t>(Phase::kBetween));
    answer.inputs_at = reinterpret_cast<uint64_t>(memory_.inputs());
    answer.outputs_at = reinterpret_cast<uint64_t>(memory_.outputs());
    return to_bytes(answer);
  }

  // The debug information of a plugin is as foreign as its code.
  Result<std::string> resolve(const std::string& body) {
    wire::Reader reader(body);
    std::string library, folder;
    uint64_t offset = 0;
    reader(library, folder, offset);
    OPKIT_CHECK(finish(reader, "a place to be found"));
    confine(folder);
    return wire::written(debug::line_in(library, offset));
  }

  Incident& page_;
  Channel channel_;
  WorkerMemory memory_;
  std::optional<ServedPlugin> plugin_;
};

void* shared(int file, size_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : at;
}

}  // namespace

int serve(int argc, char** argv) {
  if (argc != 2) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != static_cast<pid_t>(std::atol(argv[1]))) return 0;  // the host died meanwhile
  auto* page = static_cast<Incident*>(shared(kIncident, kPage));
  auto* mailbox = static_cast<Mailbox*>(shared(kMailbox, sizeof(Mailbox)));
  return page && mailbox ? Server(*page, *mailbox).run() : 2;
}

}  // namespace opkit::isolation
