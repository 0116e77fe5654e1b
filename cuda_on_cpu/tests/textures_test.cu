// SPDX-License-Identifier: MIT
// CUDA arrays, texture and surface objects.
#include <cmath>
#include <vector>

#include "helpers.hpp"

namespace {

// The texel of row y and column x has the value 10 y + x.
class PictureArray : NoCopy {
  public:
    PictureArray(std::size_t width, std::size_t height) {
        const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
        must(cudaMallocArray(&array_, &channels, width, height));
        std::vector<float> values(width * height);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i / width * 10 + i % width);
        must(cudaMemcpy2DToArray(array_, 0, 0, values.data(), width * 4, width * 4, height,
                                 cudaMemcpyHostToDevice));
    }
    ~PictureArray() { cudaFreeArray(array_); }
    cudaResourceDesc resource() const {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array_;
        return resource;
    }
    cudaArray_t get() const { return array_; }

  private:
    cudaArray_t array_ = nullptr;
};

cudaTextureDesc with(cudaTextureAddressMode address, cudaTextureFilterMode filter,
                     bool normalized = false) {
    cudaTextureDesc description{};
    for (auto& mode : description.addressMode) mode = address;
    description.filterMode = filter;
    description.normalizedCoords = normalized ? 1 : 0;
    return description;
}

__global__ void look_up(cudaTextureObject_t texture, float x, float y, float* out) {
    *out = tex2D<float>(texture, x, y);
}

float value_at(const cudaResourceDesc& resource, const cudaTextureDesc& how, float x, float y) {
    cudaTextureObject_t texture = 0;
    must(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    DeviceBuffer<float> d_out(1);
    look_up<<<1, 1>>>(texture, x, y, d_out.data());
    float value = 0;
    d_out.download(&value);
    must(cudaDestroyTextureObject(texture));
    return value;
}

__global__ void fetch_bytes(cudaTextureObject_t texture, float* out) {
    out[0] = tex1Dfetch<float>(texture, 2);
    out[1] = tex1Dfetch<float>(texture, 3);
    out[2] = tex1Dfetch<float>(texture, 4);  // outside
}

__global__ void read_as_other_type(cudaTextureObject_t texture, bool as_float, unsigned* out) {
    if (as_float)
        out[0] = __float_as_uint(tex1Dfetch<float>(texture, 0));
    else
        out[0] = tex1Dfetch<uint4>(texture, 0).x;
}

__global__ void look_up_volume(cudaTextureObject_t volume, cudaTextureObject_t layers, int* out) {
    out[0] = tex3D<uchar2>(volume, 1.5F, 0.5F, 2.5F).y;
    out[1] = tex2DLayered<uchar2>(layers, 1.5F, 0.5F, 2).y;
    out[2] = tex2DLayered<uchar2>(layers, 1.5F, 0.5F, 9).y;  // the last layer
}

__global__ void look_around(cudaTextureObject_t cube, float* out) {
    const float3 towards[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; ++i)
        out[i] = texCubemap<float>(cube, towards[i].x, towards[i].y, towards[i].z);
}

__global__ void mirror(cudaSurfaceObject_t surface, int width, cudaSurfaceBoundaryMode mode) {
    const int x = static_cast<int>(threadIdx.x);
    const auto left = surf2Dread<float>(surface, x * 4, 1);
    surf2Dwrite(left, surface, (width - 1 - x) * 4, 0, mode);
}

// x of a surface counts bytes; y, z and layers count elements.
__global__ void write_places(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, int* out) {
    const int x = static_cast<int>(threadIdx.x), z = static_cast<int>(threadIdx.y);
    const int bytes = x * static_cast<int>(sizeof(int));
    surf3Dwrite(100 * z + x, volume, bytes, 1, z);
    surf2DLayeredwrite(100 * z + x + 7, layers, bytes, 1, z);
    int read = 0;
    surf3Dread(&read, volume, bytes, 1, z);
    out[3 * z + x] = read + surf2DLayeredread<int>(layers, bytes, 1, z);
}

}  // namespace

TEST_CASE("a texture of points clamps, wraps, mirrors or uses a border") {
    const PictureArray picture(4, 3);
    const auto at = [&](cudaTextureAddressMode mode, bool normalized, float x, float y) {
        return value_at(picture.resource(), with(mode, cudaFilterModePoint, normalized), x, y);
    };
    CHECK(at(cudaAddressModeClamp, false, 2.9F, 1.0F) == 12);
    CHECK(at(cudaAddressModeClamp, false, -5, 7) == 20);
    CHECK(at(cudaAddressModeBorder, false, -0.1F, 0) == 0);
    CHECK(at(cudaAddressModeBorder, false, 3.5F, 2.5F) == 23);
    CHECK(at(cudaAddressModeWrap, true, 1.125F, 0) == 0);
    CHECK(at(cudaAddressModeWrap, true, -0.125F, 0) == 3);
    CHECK(at(cudaAddressModeMirror, true, 1.375F, 0) == 2);
    CHECK(at(cudaAddressModeMirror, true, -0.375F, 0) == 1);
    CHECK(at(cudaAddressModeWrap, false, 9, 0) == 3);  // only normalised coordinates wrap
}

TEST_CASE("a linear filter mixes neighbours with weights of 8 bits") {
    const PictureArray picture(4, 3);
    const cudaTextureDesc how = with(cudaAddressModeClamp, cudaFilterModeLinear);
    CHECK(value_at(picture.resource(), how, 1.5F, 1.5F) == 11);
    CHECK(value_at(picture.resource(), how, 2, 1.5F) == 11.5F);
    CHECK(value_at(picture.resource(), how, 2, 2) == 16.5F);
    CHECK(value_at(picture.resource(), how, 0, 0) == 0);
    CHECK(value_at(picture.resource(), how, 1.5F + 0.1F, 0.5F) == 1 + 26 / 256.0F);
    const cudaTextureDesc wrapped = with(cudaAddressModeWrap, cudaFilterModeLinear, true);
    CHECK(value_at(picture.resource(), wrapped, 0, 0.5F / 3) == 1.5F);  // between columns 3 and 0
}

TEST_CASE("textures of linear and of pitched memory") {
    DeviceBuffer<unsigned char> d_bytes(4);
    const unsigned char bytes[] = {0, 51, 102, 255};
    d_bytes.upload(bytes);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {d_bytes.data(), cudaCreateChannelDesc<unsigned char>(), 4};
    cudaTextureDesc how{};
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
    DeviceBuffer<float> d_out(3);
    fetch_bytes<<<1, 1>>>(texture, d_out.data());
    float out[3];
    d_out.download(out);
    CHECK(out[0] == 0.4F);
    CHECK(out[1] == 1.0F);
    CHECK(out[2] == 0.0F);
    cudaDestroyTextureObject(texture);

    float* d_rows = nullptr;
    std::size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&d_rows, &pitch, 12, 2) == cudaSuccess);
    const float rows[] = {1, 2, 3, 4, 5, 6};
    REQUIRE(cudaMemcpy2D(d_rows, pitch, rows, 12, 12, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {d_rows, cudaCreateChannelDesc<float>(), 3, 2, pitch};
    const cudaTextureDesc points = with(cudaAddressModeClamp, cudaFilterModePoint);
    CHECK(value_at(resource, points, 1.5F, 1.5F) == 5);
    CHECK(value_at(resource, points, 9, 9) == 6);
    resource.res.pitch2D.pitchInBytes = 12;  // a GPU's rows begin at multiples of 32 bytes
    CHECK(cudaCreateTextureObject(&texture, &resource, &points, nullptr) == cudaErrorInvalidValue);
    resource.res.pitch2D = {d_rows + 8, cudaCreateChannelDesc<float>(), 3, 1, pitch};
    CHECK(cudaCreateTextureObject(&texture, &resource, &points, nullptr) == cudaErrorInvalidValue);
    cudaFree(d_rows);
}

TEST_CASE("an array has one, two or four channels") {
    const cudaChannelFormatDesc three{8, 8, 8, 0, cudaChannelFormatKindUnsigned};
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &three, 16, 16) == cudaErrorInvalidValue);
    CHECK(cudaMalloc3DArray(&array, &three, make_cudaExtent(4, 4, 4)) == cudaErrorInvalidValue);
}

TEST_CASE("volumes and layers, copied with cudaMemcpy3D") {
    const cudaExtent extent = make_cudaExtent(2, 2, 3);
    std::vector<uchar2> values(12);
    for (std::size_t i = 0; i < 12; ++i) values[i] = {0, static_cast<unsigned char>(i)};
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar2>();
    cudaTextureObject_t textures[2];
    cudaArray_t arrays[2];
    for (int i = 0; i < 2; ++i) {
        REQUIRE(cudaMalloc3DArray(&arrays[i], &channels, extent,
                                  i == 0 ? cudaArrayDefault : cudaArrayLayered) == cudaSuccess);
        cudaMemcpy3DParms copy{};
        copy.srcPtr = make_cudaPitchedPtr(values.data(), 2 * sizeof(uchar2), 2, 2);
        copy.dstArray = arrays[i];
        copy.extent = extent;
        copy.kind = cudaMemcpyHostToDevice;
        REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
        copy.extent.depth = 4;
        CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
        cudaResourceDesc resource{};
        resource.res.array.array = arrays[i];
        const cudaTextureDesc how = with(cudaAddressModeClamp, cudaFilterModePoint);
        REQUIRE(cudaCreateTextureObject(&textures[i], &resource, &how, nullptr) == cudaSuccess);
    }
    DeviceBuffer<int> d_out(3);
    look_up_volume<<<1, 1>>>(textures[0], textures[1], d_out.data());
    int out[3];
    d_out.download(out);
    for (const int value : out) CHECK(value == 9);
    for (const cudaArray_t array : arrays) CHECK(cudaFreeArray(array) == cudaSuccess);
    CHECK(cudaFreeArray(arrays[0]) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a cube map has a face in each direction") {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    REQUIRE(cudaMalloc3DArray(&array, &channels, {1, 1, 6}, cudaArrayCubemap) == cudaSuccess);
    float faces[] = {0, 1, 2, 3, 4, 5};
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(faces, 4, 1, 1);
    copy.dstArray = array;
    copy.extent = {1, 1, 6};
    copy.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
    cudaResourceDesc resource{};
    resource.res.array.array = array;
    const cudaTextureDesc how = with(cudaAddressModeClamp, cudaFilterModePoint, true);
    cudaTextureObject_t cube = 0;
    REQUIRE(cudaCreateTextureObject(&cube, &resource, &how, nullptr) == cudaSuccess);
    DeviceBuffer<float> d_out(6);
    look_around<<<1, 1>>>(cube, d_out.data());
    float out[6];
    d_out.download(out);
    for (int i = 0; i < 6; ++i) CHECK(out[i] == static_cast<float>(i));
    cudaFreeArray(array);
}

TEST_CASE("kernels read and write surfaces") {
    const FreshDevice fresh;
    const PictureArray picture(4, 3);
    const cudaResourceDesc resource = picture.resource();
    cudaSurfaceObject_t surface = 0;
    REQUIRE(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    mirror<<<1, 4>>>(surface, 4, cudaBoundaryModeTrap);
    float row[4];
    REQUIRE(cudaMemcpy2DFromArray(row, 16, picture.get(), 0, 0, 16, 1, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    CHECK(row[0] == 13);
    CHECK(row[3] == 10);
    mirror<<<1, 4>>>(surface, 5, cudaBoundaryModeZero);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    mirror<<<1, 4>>>(surface, 5, cudaBoundaryModeTrap);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(
        contains(cuda_on_cpu::last_report(), "uses byte 16, row 0, slice 0, outside of a surface"));
    CHECK(is_told(cuda_on_cpu::Kind::outside_surface));
}

TEST_CASE("surfaces with slices and layers") {
    const FreshDevice fresh;
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    const auto channels = cudaCreateChannelDesc<int>();
    for (const int layered : {0, 1}) {
        REQUIRE(cudaMalloc3DArray(&arrays[layered], &channels, make_cudaExtent(3, 2, 2),
                                  cudaArraySurfaceLoadStore |
                                      (layered != 0 ? cudaArrayLayered : 0)) == cudaSuccess);
        cudaResourceDesc resource{};
        resource.res.array.array = arrays[layered];
        REQUIRE(cudaCreateSurfaceObject(&surfaces[layered], &resource) == cudaSuccess);
    }
    DeviceBuffer<int> d_out(6);
    write_places<<<1, dim3(3, 2)>>>(surfaces[0], surfaces[1], d_out.data());
    int out[6];
    d_out.download(out);
    for (int i = 0; i < 6; ++i) CHECK(out[i] == 2 * (100 * (i / 3) + i % 3) + 7);
    for (const cudaArray_t array : arrays) cudaFreeArray(array);
}

TEST_CASE("wrong textures are rejected") {
    const FreshDevice fresh;
    const PictureArray picture(4, 3);
    const cudaResourceDesc resource = picture.resource();
    cudaTextureDesc how = with(cudaAddressModeClamp, cudaFilterModePoint);
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) ==
          cudaErrorInvalidNormSetting);
    how.readMode = cudaReadModeElementType;
    REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
    REQUIRE(cudaDestroyTextureObject(texture) == cudaSuccess);
    DeviceBuffer<float> d_out(1);
    look_up<<<1, 1>>>(texture, 0, 0, d_out.data());
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(contains(cuda_on_cpu::last_report(), "uses a texture object that does not exist"));
    CHECK(is_told(cuda_on_cpu::Kind::no_texture));
}

TEST_CASE("between floats and integers a texture gives the bits, and that is reported") {
    const auto read = [](cudaChannelFormatDesc channels, auto texel, bool as_float) {
        DeviceBuffer<decltype(texel)> d_texel(1);
        d_texel.upload(&texel);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = d_texel.data();
        resource.res.linear.desc = channels;
        resource.res.linear.sizeInBytes = sizeof texel;
        const cudaTextureDesc how{};
        cudaTextureObject_t texture = 0;
        must(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        cuda_on_cpu::clear_report();
        DeviceBuffer<unsigned> d_out(1);
        read_as_other_type<<<1, 1>>>(texture, as_float, d_out.data());
        unsigned bits = 0;
        d_out.download(&bits);
        must(cudaDestroyTextureObject(texture));
        return bits;
    };
    CHECK(read(cudaCreateChannelDesc<unsigned char>(), static_cast<unsigned char>(200), true) ==
          200);
    CHECK(contains(cuda_on_cpu::last_report(),
                   "reads a float from a texture of integers at " __FILE__));
    CHECK(read(cudaCreateChannelDesc<float>(), 1.0F, false) == 0x3f800000);
    CHECK(contains(cuda_on_cpu::last_report(), "reads an integer from a texture of floats"));
    CHECK(is_told(cuda_on_cpu::Kind::texture_converts, "read a float"));
    CHECK(read(cudaCreateChannelDesc<float>(), 2.0F, true) == 0x40000000);
    CHECK(!contains(cuda_on_cpu::last_report(), "does not convert"));
}
