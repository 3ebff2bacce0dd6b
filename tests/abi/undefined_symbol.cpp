// A library that calls what nobody defines.
namespace elsewhere {
int answer(double x);
}
extern "C" __attribute__((visibility("default"))) int call_it() { return elsewhere::answer(1.0); }
