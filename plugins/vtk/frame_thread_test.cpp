#include "frame_thread.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include "catch.hpp"

namespace scree::vtk {

TEST_CASE("a frame is written beside its caller, in order, and waited for") {
  FrameThread thread;
  thread.wait();  // nothing has been started
  std::atomic<bool> go = false;
  std::vector<int> done;
  for (int frame = 0; frame < 3; ++frame) {
    thread.wait();
    thread.start({[&] {
                    while (!go) std::this_thread::yield();
                    done.push_back(2 * frame);
                  },
                  [&] { done.push_back(2 * frame + 1); }});
    go = true;  // start() has returned before the work is done
    thread.wait();
    CHECK(done.size() == static_cast<std::size_t>(2 * frame + 2));
  }
  CHECK(done == std::vector{0, 1, 2, 3, 4, 5});
}

TEST_CASE("what a frame throws comes with the next wait, once, and the next frame is written") {
  FrameThread thread;
  bool later = false, next = false;
  thread.start({[] { throw std::runtime_error("disk full"); }, [&] { later = true; }});
  CHECK_THROWS_WITH(thread.wait(), "disk full");
  CHECK_FALSE(later);
  CHECK_NOTHROW(thread.wait());
  thread.start({[&] { next = true; }});
  thread.wait();
  CHECK(next);
}

TEST_CASE("a frame in work is finished when its writer goes") {
  bool done = false;
  {
    FrameThread thread;
    thread.start({[&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done = true;
    }});
  }
  CHECK(done);
}

}  // namespace scree::vtk
