// The part of opkit that speaks MPI: a shared library of its own, which is loaded only in processes
// that mpirun has started.
#ifndef OPKIT_SPREAD_MPI_LIBRARY_H_
#define OPKIT_SPREAD_MPI_LIBRARY_H_

#include <cstddef>
#include <string>

#include "opkit/base/status.h"

// Holds what the library's function opkit_mpi_open() gives. C, so that the two sides may be built
// apart.
extern "C" {
struct opkit_mpi_v1 {
  int rank, ranks;
  // Sends bytes to a rank. 0: fine.
  int (*send)(int to, const char* bytes, size_t size);
  // Takes a message, where one has come: 1 with its sender, its size and its bytes, which last
  // until the next call; 0 none; below 0 MPI has failed.
  int (*poll)(int* from, const char** bytes, size_t* size);
  // Waits for all ranks, and ends MPI.
  void (*end)(void);
};
}

namespace opkit::spread {

// Says whether mpirun has started this process together with others.
bool started_by_mpirun();

// Loads the library and joins the other ranks. Error: OPK-SPREAD-002 the library or MPI is not
// there.
Result<const opkit_mpi_v1*> open_mpi();

}  // namespace opkit::spread

#endif  // OPKIT_SPREAD_MPI_LIBRARY_H_
