// SPDX-License-Identifier: MIT
// kind: surface_counts_bytes
// check: thread (1,0,0) uses 4 bytes of a surface at x = 1, at {surf2Dwrite}
// check: not a multiple of 4
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t surface) {
    surf2Dwrite(1.0F, surface, threadIdx.x, blockIdx.x);
}

int main() {
    const int width = 16, height = 4;
    float out[height][width];
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &channels, width, height, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    fill<<<height, width>>>(surface);
    cudaMemcpy2DFromArray(out, sizeof *out, resource.res.array.array, 0, 0, sizeof *out, height,
                          cudaMemcpyDeviceToHost);
    std::printf("%g\n", double(out[0][0]));
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(resource.res.array.array);
}
