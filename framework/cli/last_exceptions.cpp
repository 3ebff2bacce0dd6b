#include "cli/last_exceptions.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "command.hpp"
#include "scree/base/printable.hpp"
#include "scree/base/tell.hpp"
#include "scree/guard/method.hpp"

namespace scree::cli {

namespace {

constexpr int kNotDone = -1;
std::atomic<int> done = kNotDone;  ///< exit code of the finished work

/// Returns the first file on the call stack that is neither the program nor one of every program of scree.
std::string library_at_fault() {
  std::array<void*, 64> frames;
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info own{};
  ::dladdr(reinterpret_cast<void*>(&library_at_fault), &own);
  for (int k = 0; k < count; ++k) {
    Dl_info info{};
    if (::dladdr(frames[static_cast<std::size_t>(k)], &info) == 0 || !info.dli_fname || info.dli_fbase == own.dli_fbase)
      continue;
    const std::string name = std::filesystem::path(info.dli_fname).filename().string();
    constexpr std::string_view kCommon[] = {"libscree", "libstdc++", "libc++", "libgcc_s", "libgomp",   "libomp",
                                            "libc.",    "libc-",     "libm.",  "ld-linux", "linux-vdso"};
    if (std::ranges::none_of(kCommon, [&](std::string_view common) { return name.starts_with(common); })) return name;
  }
  return "";
}

std::string what_was_thrown() {
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown) return "std::terminate() was called.";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return fmt::format("threw {}: {}", detail::name_of(typeid(e)), e.what());
  } catch (...) {
    return "threw what is no std::exception.";
  }
}

[[noreturn]] void on_terminate() {
  std::string who;
  if (const Call call = current_call(); call.method)
    who =
        fmt::format("{} \"{}\" (plugin {}), {}", call.method->kind, call.method->name, call.method->plugin, call.entry);
  else if (const std::string library = library_at_fault(); !library.empty())
    who = "library " + library;
  std::string text = (who.empty() ? "" : who + ": ") + what_was_thrown();
  if (!text.ends_with('.')) text += '.';
  const int code = done;
  text = code == kNotDone
             ? "error: " + text + " No exception may leave a destructor, or another function that is noexcept."
             : "warning: " + text + " Results had been written by then, and are complete.";
  tell(stderr, printable(text) + "\n");
  std::fflush(stdout);
  ::_exit(code == kNotDone ? kInternalError : code);
}

}  // namespace

void name_plugins_at_terminate() { std::set_terminate(on_terminate); }

void note_done(int exit_code) { done = exit_code; }

}  // namespace scree::cli
