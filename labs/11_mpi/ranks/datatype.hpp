// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <utility>

namespace convolab::mpi {

/// The derived datatype of a rectangle of bytes in a larger one: `rows` times `bytes`, from one row
/// to the next `stride`. A message of it needs no copy of the rectangle.
class RectangleType {
  public:
    RectangleType(std::int64_t stride, std::int64_t bytes, std::int64_t rows) {
        MPI_Datatype row = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &row);
        MPI_Type_create_hvector(static_cast<int>(rows), 1, stride, row, &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&row);
    }
    ~RectangleType() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    RectangleType(RectangleType&& other) noexcept
        : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    RectangleType(const RectangleType&) = delete;
    RectangleType& operator=(const RectangleType&) = delete;
    RectangleType& operator=(RectangleType&&) = delete;

    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace convolab::mpi
