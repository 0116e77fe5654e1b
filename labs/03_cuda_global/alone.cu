// SPDX-License-Identifier: MIT
// One file to take away: it blurs a gray picture on a GPU, checks every pixel on the CPU, and times
// the kernel. Without a GPU, write ../../cuda_on_cpu/cuda-on-cpu for nvcc: checked, not timed.
//     nvcc -O3 alone.cu -o alone && ./alone in.pgm out.pgm
// ./alone without names draws a picture.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

/// Each pixel becomes the mean of 3 x 3, weighted 1 2 1, 2 4 2, 1 2 1. Edge pixels repeat outside.
__global__ void blur(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;  // the grid may be larger than the picture
    const int taps[] = {1, 2, 1};
    int sum = 8;  // half of 16, to round
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            const int row = min(max(y + j - 1, 0), height - 1);
            const int column = min(max(x + i - 1, 0), width - 1);
            sum += taps[j] * taps[i] * d_in[row * width + column];
        }
    d_out[y * width + x] = sum / 16;
}

[[noreturn]] void fail(const std::string& sentence, int code = 1) {
    std::fprintf(stderr, "error: %s\n", sentence.c_str());
    std::exit(code);
}

/// Ends the program if a call of CUDA has failed, which says so only in what it returns.
void check(cudaError_t error, const char* call) {
    if (error != cudaSuccess) fail(std::string(call) + ": " + cudaGetErrorString(error));
}
#define CHECK(call) check(call, #call)

struct Picture {
    int width, height;
    std::vector<unsigned char> pixels;  // row by row
};

/// Reads "P5", width, height, 255, one white space, and the pixels.
Picture read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::string type;
    int width = 0, height = 0, white = 0;
    file >> type >> width >> height >> white;
    if (type != "P5" || width < 1 || height < 1 || width > (1 << 30) / height || white != 255)
        fail("'" + name +
             "' is no PGM of 8 bits without comments; check the name, or make one: "
             "ffmpeg -i FILE -pix_fmt gray in.pgm");
    Picture picture{width, height, std::vector<unsigned char>(width * height)};
    file.get();
    if (!file.read(reinterpret_cast<char*>(picture.pixels.data()), picture.pixels.size()))
        fail("'" + name + "' ends before its last pixel; copy it again.");
    return picture;
}

Picture draw_rings() {
    Picture picture{1280, 720, {}};
    for (int y = 0; y < 720; ++y)
        for (int x = 0; x < 1280; ++x) picture.pixels.push_back((x * x + y * y) / 400);
    return picture;
}

void write(const std::string& name, const Picture& picture) {
    std::ofstream file(name, std::ios::binary);
    file << "P5\n" << picture.width << ' ' << picture.height << "\n255\n";
    file.write(reinterpret_cast<const char*>(picture.pixels.data()), picture.pixels.size());
    if (!file.flush()) fail("'" + name + "' cannot be written; check the folder and its room.");
}

/// Computes every pixel again, in two plain loops.
void compare(const Picture& in, const Picture& out) {
    const auto at = [&](int x, int y) -> int {
        const int row = std::clamp(y, 0, in.height - 1), column = std::clamp(x, 0, in.width - 1);
        return in.pixels[row * in.width + column];
    };
    const auto sum = [&](int x, int y) { return at(x - 1, y) + 2 * at(x, y) + at(x + 1, y); };
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x) {
            const int right = (sum(x, y - 1) + 2 * sum(x, y) + sum(x, y + 1) + 8) / 16;
            if (out.pixels[y * in.width + x] != right)
                fail("pixel " + std::to_string(x) + ", " + std::to_string(y) + " is wrong.");
        }
}

int main(int argc, char** argv) {
    if (argc > 3) fail("there are too many names; usage: ./alone [IN.pgm [OUT.pgm]]", 2);
    const Picture in = argc > 1 ? read(argv[1]) : draw_rings();
    Picture out = in;
    const std::size_t bytes = in.pixels.size();

    unsigned char *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.pixels.data(), bytes, cudaMemcpyHostToDevice));
    const dim3 block(32, 8);
    const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
    blur<<<grid, block>>>(d_in, d_out, in.width, in.height);
    CHECK(cudaGetLastError());  // whether the launch was possible
    CHECK(cudaMemcpy(out.pixels.data(), d_out, bytes, cudaMemcpyDeviceToHost));  // waits for blur
    compare(in, out);

    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    blur<<<grid, block>>>(d_in, d_out, in.width, in.height);  // the first one was the warm-up
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    for (const cudaEvent_t event : {begin, end}) CHECK(cudaEventDestroy(event));
    for (unsigned char* d_pixels : {d_in, d_out}) CHECK(cudaFree(d_pixels));

    if (argc > 2) write(argv[2], out);
    const std::string time = ms > 0 ? std::to_string(ms) + " ms" : "not timed (there is no GPU)";
    std::printf("%d x %d: checked, %s\n", in.width, in.height, time.c_str());
}
