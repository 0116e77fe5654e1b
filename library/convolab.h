/* SPDX-License-Identifier: MIT
   The library's Cpu for C, and for every language that calls C; convolab.hpp explains the words.

       char error[CONVOLAB_ERROR];
       const int32_t taps[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
       convolab_cpu *blur = convolab_cpu_new(1920, 1080, 3, taps, 3, 16, "replicate", 2, error);
       if (!blur || convolab_cpu_run(blur, in, in_pitch, out, out_pitch, error)) puts(error);
       convolab_cpu_free(blur);

   A function that can fail says in `error` what is wrong and what to do. */
#ifndef CONVOLAB_H
#define CONVOLAB_H

#include <stdint.h>

#define CONVOLAB_ERROR 512 /* bytes of an error's text, with its end */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct convolab_cpu convolab_cpu;

/* A plan; null: see error. taps: side x side of them, row by row. */
convolab_cpu* convolab_cpu_new(int64_t width, int64_t height, int channels, const int32_t* taps,
                               int side, int32_t divisor, const char* border, int threads,
                               char* error);
/* 0, or 1: see error. Pitches are the bytes from one row to the next. */
int convolab_cpu_run(const convolab_cpu* plan, const uint8_t* in, int64_t in_pitch, uint8_t* out,
                     int64_t out_pitch, char* error);
/* How many threads a run uses: at most those asked for. */
int convolab_cpu_threads(const convolab_cpu* plan);
void convolab_cpu_free(convolab_cpu* plan);

/* The taps of a Gaussian, side x side, for the divisor 65536. 0, or 1: see error. */
int convolab_gaussian(int side, double sigma, int32_t* taps, char* error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
