// SPDX-License-Identifier: MIT
// Texture and surface objects, and how a texture function finds and interpolates texels (CUDA C++
// Programming Guide, "Texture Fetching").
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include "device/api/array.hpp"
#include "device/base/asan.hpp"
#include "device/base/device.hpp"
#include "device/base/report.hpp"
#include "device/base/source_line.hpp"
#include "device/memory/allocations.hpp"
#include "device/memory/device_access.hpp"
#include "device/memory/guarded_bytes.hpp"
#include "device/threads/block.hpp"
#include "half_bits.hpp"
#include "textures.hpp"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t kPitchAlignment = 32;  // cudaDeviceProp::texturePitchAlignment
constexpr std::size_t kAlignment = 512;      // cudaDeviceProp::textureAlignment

// Why the last call that made no object has failed: a kernel may use what it has not made.
Finding& failure() {
    static auto& last = *new Finding;
    return last;
}
cudaError_t refuse(const std::string& why) {
    failure() = ": cudaCreateTextureObject" + calling_place() + " has failed, as " + why;
    return cudaErrorInvalidValue;
}
// The emulator aligns small allocations to less than a GPU does: the place inside counts.
std::size_t offset_of(const void* address) {
    const Allocation a = find_allocation(address);
    return a.memory == nullptr
               ? 0
               : static_cast<std::size_t>(static_cast<const char*>(address) - a.begin) % kAlignment;
}

struct Texture {
    char* data;
    cudaChannelFormatDesc channels;
    long size[3];  // elements, rows, slices
    std::size_t pitch, slice;
    cudaTextureDesc how;

    int bits() const { return channels.x; }
    std::size_t element_bytes() const {
        return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
    }
};

std::map<unsigned long long, Texture>& objects() {  // also surfaces
    static auto& all = *new std::map<unsigned long long, Texture>;
    return all;
}

const Texture& find(unsigned long long object, const char* what) {
    const auto found = objects().find(object);
    if (found == objects().end())
        running_block().stop(cudaErrorIllegalAddress, [&] {
            Finding text(Kind::no_texture,
                         "uses a " + std::string(what) + " object that does not exist");
            return text + (failure().empty() ? " (any more)" : failure());
        });
    // Under ASan no fault opens this memory.
    if (has_asan()) open_on_demand(found->second.data);
    return found->second;
}

cudaError_t create(unsigned long long* object, const cudaResourceDesc* resource,
                   const cudaTextureDesc& how) {
    static unsigned long long next = 0x300000;
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    Texture t{nullptr, {}, {1, 1, 1}, 0, 0, how};
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray_t array = resource->res.array.array;
        if (!is_array(array)) return cudaErrorInvalidResourceHandle;
        t = {array->data,
             array->channels,
             {static_cast<long>(array->extent.width), static_cast<long>(array->rows()),
              static_cast<long>(array->slices())},
             array->pitch(),
             array->slice_bytes(),
             how};
        // The layers of a one-dimensional layered array are slices of one row.
    } else if (resource->resType == cudaResourceTypeLinear) {
        const auto& linear = resource->res.linear;
        t.data = static_cast<char*>(linear.devPtr);
        t.channels = linear.desc;
        t.size[0] =
            static_cast<long>(linear.sizeInBytes / std::max<std::size_t>(1, t.element_bytes()));
    } else if (resource->resType == cudaResourceTypePitch2D) {
        const auto& rows = resource->res.pitch2D;
        if (rows.pitchInBytes % kPitchAlignment != 0)
            return refuse("the pitch of " + count_text(rows.pitchInBytes) + " is no multiple of " +
                          std::to_string(kPitchAlignment) + " (texturePitchAlignment)");
        t.data = static_cast<char*>(rows.devPtr);
        t.channels = rows.desc;
        t.size[0] = static_cast<long>(rows.width);
        t.size[1] = static_cast<long>(rows.height);
        t.pitch = rows.pitchInBytes;
    } else {
        return cudaErrorNotSupported;
    }
    if (t.data == nullptr || t.element_bytes() == 0) return cudaErrorInvalidValue;
    if (resource->resType != cudaResourceTypeArray && offset_of(t.data) != 0)
        return refuse("the memory begins " + count_text(offset_of(t.data)) +
                      " behind a multiple of " + std::to_string(kAlignment) +
                      " (textureAlignment)");
    const bool to_float = how.readMode == cudaReadModeNormalizedFloat;
    const bool is_float = t.channels.f == cudaChannelFormatKindFloat;
    if (how.filterMode == cudaFilterModeLinear && !to_float && !is_float)
        return cudaErrorInvalidFilterSetting;
    if (to_float && (is_float || t.bits() > 16)) return cudaErrorInvalidNormSetting;
    if (how.sRGB != 0) return cudaErrorNotSupported;
    if (GuardedBytes* const memory = find_allocation(t.data).memory) memory->has_texture = true;
    objects()[*object = next += 16] = t;
    return cudaSuccess;
}

cudaError_t destroy(unsigned long long object) {
    return api([&] {
        return objects().erase(object) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

template <class T>
T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

double channel(const Texture& t, const char* at) {
    const bool has_sign = t.channels.f == cudaChannelFormatKindSigned;
    if (t.channels.f == cudaChannelFormatKindFloat)
        return t.bits() == 32 ? load<float>(at) : half_value(load<std::uint16_t>(at));
    const double value = t.bits() == 8 ? has_sign ? load<std::int8_t>(at) : load<std::uint8_t>(at)
                         : t.bits() == 16
                             ? has_sign ? load<std::int16_t>(at) : load<std::uint16_t>(at)
                         : has_sign ? load<std::int32_t>(at)
                                    : load<std::uint32_t>(at);
    if (t.how.readMode == cudaReadModeElementType) return value;
    const double largest = std::exp2(t.bits() - (has_sign ? 1 : 0)) - 1;
    return static_cast<float>(std::max(-1.0, value / largest));
}

Texel texel(const Texture& t, const long at[3]) {
    Texel result{};
    result.is_float =
        t.channels.f == cudaChannelFormatKindFloat || t.how.readMode == cudaReadModeNormalizedFloat;
    for (int d = 0; d < 3; ++d)
        if (at[d] < 0 || at[d] >= t.size[d]) {
            std::copy(t.how.borderColor, t.how.borderColor + 4, result.c);
            return result;
        }
    const char* from = t.data + static_cast<std::size_t>(at[2]) * t.slice +
                       static_cast<std::size_t>(at[1]) * t.pitch +
                       static_cast<std::size_t>(at[0]) * t.element_bytes();
    const int bits[] = {t.channels.x, t.channels.y, t.channels.z, t.channels.w};
    for (int c = 0; c < 4 && bits[c] > 0; from += bits[c++] / 8) result.c[c] = channel(t, from);
    return result;
}

// Applies the address mode to a texel's number; the result is outside the texture if the border
// applies.
long address(const Texture& t, int dimension, long i) {
    const long n = t.size[dimension];
    const cudaTextureAddressMode mode = t.how.addressMode[dimension];
    const long period = mode == cudaAddressModeMirror ? 2 * n : n;
    if (mode == cudaAddressModeBorder) return i;
    if (t.how.normalizedCoords == 0 || mode == cudaAddressModeClamp)
        return std::clamp(i, 0L, n - 1);
    const long inside = ((i % period) + period) % period;
    return inside < n ? inside : period - 1 - inside;
}

}  // namespace

double Texel::bits(int i, const char* file, int line) const {
    const std::string place = std::string(file) + ":" + std::to_string(line);
    Finding finding(Kind::texture_converts,
                    std::string("reads ") +
                        (is_float ? "an integer from a texture of floats at "
                                  : "a float from a texture of integers at ") +
                        at(place) + ". A GPU does not convert: it gives the bits.");
    finding.remedy = is_float ? "read a float, or set readMode to cudaReadModeElementType."
                              : "read the texture's own type, or set readMode to "
                                "cudaReadModeNormalizedFloat, which gives 0 to 1.";
    report_once(place, finding);
    if (is_float) return std::bit_cast<std::uint32_t>(static_cast<float>(c[i]));
    return std::bit_cast<float>(static_cast<std::uint32_t>(static_cast<std::int64_t>(c[i])));
}

Texel fetch(cudaTextureObject_t object, int index) {
    Texture t = find(object, "texture");
    std::fill(t.how.borderColor, t.how.borderColor + 4, 0.0F);
    const long at[] = {index, 0, 0};
    return texel(t, at);
}

Texel sample(cudaTextureObject_t object, int dimensions, float x, float y, float z, int layer) {
    const Texture& t = find(object, "texture");
    const float given[] = {x, y, z};
    long low[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};  // of the upper neighbour
    for (int d = 0; d < dimensions; ++d) {
        const double size = static_cast<double>(t.size[d]);
        double place = t.how.normalizedCoords != 0 ? given[d] * size : given[d];
        if (t.how.filterMode == cudaFilterModeLinear) place -= 0.5;
        if (!(std::abs(place) < 1e15)) place = 0;  // the place is no number
        const double whole = std::floor(place);
        low[d] = static_cast<long>(whole);
        if (t.how.filterMode == cudaFilterModeLinear)
            weight[d] = static_cast<int>((place - whole) * 256 + 0.5) / 256.0;
    }
    Texel sum{{}, true};
    const int corners = t.how.filterMode == cudaFilterModeLinear ? 1 << dimensions : 1;
    for (int corner = 0; corner < corners; ++corner) {
        double part = 1;
        for (int d = 0; d < dimensions; ++d)
            part *= (corner >> d & 1) != 0 ? weight[d] : 1 - weight[d];
        if (part == 0) continue;
        long at[3] = {0, 0, std::clamp<long>(layer, 0, t.size[2] - 1)};
        for (int d = 0; d < dimensions; ++d) at[d] = address(t, d, low[d] + (corner >> d & 1));
        const Texel one = texel(t, at);
        if (part == 1) return one;
        for (int c = 0; c < 4; ++c) sum.c[c] += part * one.c[c];
    }
    return sum;
}

// The face is the axis with the largest coordinate; the other two are a place on the face.
Texel sample_cube(cudaTextureObject_t object, float x, float y, float z) {
    const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    int face = 0;
    float s = 0, t = 0, m = 0;
    if (ax >= ay && ax >= az)
        face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
    else if (ay >= az)
        face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
    else
        face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
    Texture cube = find(object, "texture");
    const float scale = cube.how.normalizedCoords != 0 ? 1.0F : static_cast<float>(cube.size[0]);
    return sample(object, 2, (s / m + 1) / 2 * scale, (t / m + 1) / 2 * scale, 0, face);
}

void* surface_address(cudaSurfaceObject_t object, int x, int y, int z, std::size_t bytes,
                      cudaSurfaceBoundaryMode mode) {
    const Texture& s = find(object, "surface");
    const int place[] = {x, y, z};
    long at[] = {x, y, z};
    const long last[] = {
        s.size[0] * static_cast<long>(s.element_bytes()) - static_cast<long>(bytes), s.size[1] - 1,
        s.size[2] - 1};
    const void* const caller = __builtin_return_address(0);
    if (x % static_cast<int>(bytes) != 0)
        running_block().stop(cudaErrorMisalignedAddress, [=] {
            const std::string size = std::to_string(bytes);
            return Finding(Kind::surface_counts_bytes,
                           "uses " + size + " bytes of a surface at x = " + std::to_string(x) +
                               ", at " +
                               cuda_on_cpu::at(users_line(static_cast<const char*>(caller) - 1)) +
                               ", not a multiple of " + size + ": a surface's x counts bytes");
        });
    for (int d = 0; d < 3; ++d) {
        if (at[d] >= 0 && at[d] <= last[d]) continue;
        if (mode == cudaBoundaryModeTrap)
            running_block().stop(cudaErrorIllegalAddress, [&place] {
                return Finding(Kind::outside_surface, "uses byte " + std::to_string(place[0]) +
                                                          ", row " + std::to_string(place[1]) +
                                                          ", slice " + std::to_string(place[2]) +
                                                          ", outside of a surface");
            });
        if (mode == cudaBoundaryModeZero) return nullptr;
        at[d] = std::clamp(at[d], 0L, last[d]);
    }
    return s.data + static_cast<std::size_t>(at[2]) * s.slice +
           static_cast<std::size_t>(at[1]) * s.pitch + static_cast<std::size_t>(at[0]);
}

}  // namespace cuda_on_cpu

using namespace cuda_on_cpu;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const void* view) {
    return api([&] {
        if (description == nullptr) return cudaErrorInvalidValue;
        return view != nullptr ? cudaErrorNotSupported : create(texture, resource, *description);
    });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) { return destroy(texture); }
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
    return api([&] {
        if (resource != nullptr && resource->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        return create(surface, resource, {});
    });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) { return destroy(surface); }
