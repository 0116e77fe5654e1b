// SPDX-License-Identifier: MIT
// io -- each rank reads and writes its own rows of a file, with MPI-IO
// Source: new.
// Idea: no rank needs the whole picture, so it may be larger than the memory of one machine. (Here,
//     rank 0 also has it before and after, to compare the output.) The picture is a file of raw
//     samples. All ranks call MPI_File_read_at_all at the same time, each for the rows of its band.
//     The passes follow, as in halo, and then MPI_File_write_at_all into another file. The library
//     joins the requests of all ranks into long ones.
// Since halo: the timed run includes reading and writing, as part of the exchange.
// Limit: the file system. On one machine with a small picture these are copies from and to the
//     system's cache of files.
// Alone: build/labs/11_mpi/lab bench --variant halo,io --ranks 1,2 --passes 1,10 --size 4k
#include "labs/11_mpi/ranks/band_work.hpp"
#include "labs/11_mpi/ranks/picture_file.hpp"
#include "labs/11_mpi/variants.hpp"

namespace convolab::mpi {
namespace {

class Io final : public BandWork {
  public:
    static void require(const RankJob& job) {
        require_parts(job.height, job.ranks(), job.radius(), "rows");
    }
    explicit Io(const RankJob& job)
        : BandWork(job, job.radius()), files_(TemporaryFiles::of(job.comm)) {}

    void run(RankClock& clock) override {
        clock.exchange(
            [&] { files_.in.read(first_byte(), part_.row(0, 0), part_.height(), row_); });
        for (int pass = 0; pass < job_.passes(); ++pass) {
            clock.exchange([&] {
                MPI_Request requests[4];
                start_exchange(pass, job_.radius(), requests);
                MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
            });
            clock.compute([&] { part_.filter(pass, 0, part_.height()); });
        }
        clock.exchange([&] {
            files_.out.write(first_byte(), part_.row(job_.passes(), 0), part_.height(), row_);
        });
    }

    /// The input becomes a file, the output is read from one.
    void distribute(const Image* picture) override {
        part_.distribute(picture);
        files_.in.write(first_byte(), part_.row(0, 0), part_.height(), row_);
    }
    void collect(Image* result) override {
        part_.poison();  // what is collected was in the file
        files_.out.read(first_byte(), part_.row(job_.passes(), 0), part_.height(), row_);
        part_.collect(result);
    }
    void poison() override { files_.out.clear(); }

  private:
    std::int64_t first_byte() const { return part_.own().y * job_.row_bytes(); }

    TemporaryFiles& files_;
};

}  // namespace

const Variant io = rank_variant<Io>(
    {.name = "io", .idea = "each rank reads and writes its own rows of a file, with MPI-IO"});

}  // namespace convolab::mpi
