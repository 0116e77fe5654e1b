// SPDX-License-Identifier: MIT
// Exercise 3 of lab 06, README.md: reuse a buffer.
#include <cuda_runtime.h>

/// 255 - sample of `samples` samples of 8 bits.
__global__ void negative(const unsigned char* d_in, unsigned char* d_out, int samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) d_out[i] = 255 - d_in[i];
}

/// h_in and h_out are pinned memory of `frames` frames, d_in and d_out device memory of two frames,
/// which take turns. A frame has `samples` samples of 8 bits. Frames are copied to the device in
/// stream `in`, computed in `compute` and copied back in `out`. This returns without waiting.
void negative_frames(const unsigned char* h_in, unsigned char* h_out, unsigned char* d_in,
                     unsigned char* d_out, int samples, int frames, cudaStream_t in,
                     cudaStream_t compute, cudaStream_t out) {
    cudaEvent_t arrived[2], computed[2], stored[2];  // of each buffer
    for (int b = 0; b < 2; ++b)
        for (cudaEvent_t* event : {&arrived[b], &computed[b], &stored[b]})
            cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    for (int f = 0; f < frames; ++f) {
        const int b = f % 2;
        unsigned char *d_from = d_in + b * samples, *d_to = d_out + b * samples;
        cudaStreamWaitEvent(in, computed[b]);  // of frame f - 2
        cudaMemcpyAsync(d_from, h_in + f * samples, samples, cudaMemcpyHostToDevice, in);
        cudaEventRecord(arrived[b], in);
        cudaStreamWaitEvent(compute, arrived[b]);
        cudaStreamWaitEvent(compute, stored[b]);  // of frame f - 2
        negative<<<(samples + 255) / 256, 256, 0, compute>>>(d_from, d_to, samples);
        cudaEventRecord(computed[b], compute);
        cudaStreamWaitEvent(out, computed[b]);
        cudaMemcpyAsync(h_out + f * samples, d_to, samples, cudaMemcpyDeviceToHost, out);
        cudaEventRecord(stored[b], out);
    }
    for (int b = 0; b < 2; ++b)
        for (const cudaEvent_t event : {arrived[b], computed[b], stored[b]})
            cudaEventDestroy(event);
}
