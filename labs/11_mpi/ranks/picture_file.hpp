// SPDX-License-Identifier: MIT
// A file of raw samples. All ranks read and write it at the same time, each rank its own rows.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace convolab::mpi {

class PictureFile {
  public:
    /// Opens it, with MPI_MODE_..; all ranks of `comm` call it. Throws Error, naming file and
    /// reason.
    PictureFile(MPI_Comm comm, std::string path, int mode);
    /// A new file in the folder for temporary files, without a name: nothing of it stays, however
    /// the run ends.
    explicit PictureFile(MPI_Comm comm);
    ~PictureFile();
    PictureFile(const PictureFile&) = delete;
    PictureFile& operator=(const PictureFile&) = delete;

    /// Reads or writes `rows` rows of this datatype, from byte `at` on; all ranks call them. Throw
    /// Error; read() also if the file ends before.
    void read(std::int64_t at, std::uint8_t* into, std::int64_t rows, MPI_Datatype row);
    void write(std::int64_t at, const std::uint8_t* from, std::int64_t rows, MPI_Datatype row);
    /// Drops what is in it.
    void clear();

  private:
    void open(MPI_Comm comm, int mode);
    void require(int error, const char* what) const;

    std::string path_;
    MPI_File file_ = MPI_FILE_NULL;
};

/// The temporary files of all jobs on as many ranks: opening one takes longer than filtering a
/// small picture. Each job writes them again before it runs.
struct TemporaryFiles {
    explicit TemporaryFiles(MPI_Comm comm) : in(comm), out(comm) {}
    static TemporaryFiles& of(MPI_Comm comm);
    /// Before MPI_Finalize, on all ranks.
    static void close_all();

    PictureFile in, out;
};

}  // namespace convolab::mpi
