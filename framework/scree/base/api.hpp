#pragma once
/// \file Symbol visibility and host+device marks. Everything is hidden unless it says SCREE_API.

#define SCREE_API __attribute__((visibility("default")))

#if defined(__CUDACC__)
#define SCREE_HD __host__ __device__
#else
#define SCREE_HD
#endif
