// SPDX-License-Identifier: MIT
#include "labs/11_mpi/ranks/picture_file.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <utility>

#include "common/base/error.hpp"

namespace convolab::mpi {
namespace {

/// The name that rank 0 chose, on all ranks. The file is there.
std::string temporary_name(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    char name[4096] = {};
    if (rank == 0) {
        const auto folder = std::filesystem::temp_directory_path().string();
        (folder + "/convolab_XXXXXX").copy(name, sizeof name - 1);
        const int file = mkstemp(name);
        if (file < 0) name[0] = '\0';
        if (file >= 0) close(file);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm);
    if (name[0] == '\0')
        throw Error(
            "No file can be made in the folder for temporary files; set TMPDIR to another.");
    return name;
}

/// By the number of ranks, so that every rank closes them in the same order.
std::map<int, TemporaryFiles>& all_files() {
    static std::map<int, TemporaryFiles> files;
    return files;
}

}  // namespace

PictureFile::PictureFile(MPI_Comm comm, std::string path, int mode) : path_(std::move(path)) {
    open(comm, mode);
}

PictureFile::PictureFile(MPI_Comm comm) : path_(temporary_name(comm)) {
    open(comm, MPI_MODE_RDWR);
    MPI_Barrier(comm);  // all have opened it
    unlink(path_.c_str());
}

PictureFile::~PictureFile() { MPI_File_close(&file_); }

void PictureFile::open(MPI_Comm comm, int mode) {
    require(MPI_File_open(comm, path_.c_str(), mode, MPI_INFO_NULL, &file_), "opened");
}

void PictureFile::read(std::int64_t at, std::uint8_t* into, std::int64_t rows, MPI_Datatype row) {
    MPI_Status status;
    require(MPI_File_read_at_all(file_, at, into, static_cast<int>(rows), row, &status), "read");
    int count = 0;
    MPI_Get_count(&status, row, &count);
    if (count != rows) throw Error("File '" + path_ + "' ends before its last row.");
}

void PictureFile::write(std::int64_t at, const std::uint8_t* from, std::int64_t rows,
                        MPI_Datatype row) {
    require(MPI_File_write_at_all(file_, at, from, static_cast<int>(rows), row, MPI_STATUS_IGNORE),
            "written");
}

void PictureFile::clear() { require(MPI_File_set_size(file_, 0), "emptied"); }

void PictureFile::require(int error, const char* what) const {
    if (error == MPI_SUCCESS) return;
    char why[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(error, why, &length);
    throw Error("File '" + path_ + "' cannot be " + what + ": " + why + '.');
}

TemporaryFiles& TemporaryFiles::of(MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return all_files().try_emplace(ranks, comm).first->second;
}

void TemporaryFiles::close_all() { all_files().clear(); }

}  // namespace convolab::mpi
