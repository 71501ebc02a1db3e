// MpiCrew: ranks of MPI as workers. Every rank, the first one too, does its jobs in processes of
// its own, so that one that is killed is told and done again; only the first one hands out.
#ifndef OPKIT_SPREAD_MPI_CREW_H_
#define OPKIT_SPREAD_MPI_CREW_H_

#include <string>

#include "opkit/spread/local_crew.h"
#include "opkit/spread/mpi_library.h"

namespace opkit::spread {

class MpiCrew : public Crew {
 public:
  // REQUIRES: this is rank 0.
  MpiCrew(const opkit_mpi_v1& mpi, DoJob do_job) : mpi_(mpi), own_(1, std::move(do_job)) {}
  // Lets the other ranks go.
  ~MpiCrew() override;

  // Waits until every other rank has said what its list is. Error: OPK-SPREAD-003.
  Status meet(const std::string& digest);

  size_t size() const override { return static_cast<size_t>(mpi_.ranks); }
  void give(size_t worker, size_t job) override;
  CrewEvent wait() override;

 private:
  const opkit_mpi_v1& mpi_;
  LocalCrew own_;
  bool own_busy_ = false;
  int gone_ = 0;  // ranks that were told to be gone, because MPI has failed
};

// Does what every other rank does: jobs, until rank 0 has none. Error: OPK-SPREAD-004.
Status help(const opkit_mpi_v1& mpi, const std::string& digest, const DoJob& do_job);

}  // namespace opkit::spread

#endif  // OPKIT_SPREAD_MPI_CREW_H_
