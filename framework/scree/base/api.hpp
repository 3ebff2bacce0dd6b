#pragma once
/// \file Symbol visibility and host+device marks. Symbols are hidden unless marked with SCREE_API.

#define SCREE_API __attribute__((visibility("default")))

#if defined(__CUDACC__)
#define SCREE_HD __host__ __device__
#else
#define SCREE_HD
#endif
