// libopkit_mpi.so: the ranks that mpirun has started, through Boost.MPI. The only file of opkit
// that knows MPI.
#include <boost/mpi.hpp>
#include <memory>
#include <vector>

#include "opkit/spread/mpi_library.h"

namespace {

namespace mpi = boost::mpi;

constexpr int kTag = 45;

struct Joined {
  mpi::environment environment{mpi::threading::single};
  mpi::communicator world;
  std::vector<char> message;
  opkit_mpi_v1 table{};
};

std::unique_ptr<Joined>& joined() {
  static std::unique_ptr<Joined> one;
  return one;
}

int send_bytes(int to, const char* bytes, size_t size) {
  try {
    joined()->world.send(to, kTag, bytes, static_cast<int>(size));
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

int poll_bytes(int* from, const char** bytes, size_t* size) {
  try {
    Joined& all = *joined();
    const auto status = all.world.iprobe(mpi::any_source, kTag);
    if (!status) return 0;
    const int count = status->count<char>().value_or(0);
    all.message.resize(static_cast<size_t>(count) + 1);
    all.world.recv(status->source(), kTag, all.message.data(), count);
    *from = status->source();
    *bytes = all.message.data();
    *size = static_cast<size_t>(count);
    return 1;
  } catch (const std::exception&) {
    return -1;
  }
}

void end_all() {
  try {
    joined()->world.barrier();
  } catch (const std::exception&) {
    // Says nothing: a rank is gone, and mpirun tells it.
  }
  joined().reset();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const opkit_mpi_v1* opkit_mpi_open() {
  try {
    joined() = std::make_unique<Joined>();
    Joined& all = *joined();
    all.table = {all.world.rank(), all.world.size(), send_bytes, poll_bytes, end_all};
    return &all.table;
  } catch (const std::exception&) {
    return nullptr;
  }
}
