// The C++ loops that kernels are held against: the same Embree calls, rays and flags, through the addresses of its C API.
// Built by tests/bench/tracer.py: g++ -O3 -march=native -shared -fPIC.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {
constexpr int LANES = 16, TILE = 4, WORDS = 24;
using Intersect16 = void (*)(const int*, void*, void*, void*);
using Intersect1 = void (*)(void*, void*, void*);

struct alignas(64) Packet {
    float words[WORDS * LANES];
    int valid[LANES];
};

struct alignas(16) Ray {
    float words[WORDS];
};

// RTCRayQueryContext and RTCIntersectArguments: flags, feature mask, context, filter, intersect.
struct Arguments {
    alignas(16) uint32_t context[64] = {0xFFFFFFFF, 0xFFFFFFFF};
    uint64_t words[8] = {};
    explicit Arguments(uint64_t flags) {
        words[0] = flags | uint64_t(0xFFFFFFFF) << 32;
        words[1] = reinterpret_cast<uint64_t>(context);
    }
};

uint32_t bits(float value) {
    uint32_t word;
    std::memcpy(&word, &value, 4);
    return word;
}

template <class Work> void in_threads(int threads, int count, int step, Work work) {
    std::vector<std::thread> all;
    const int each = (count / step + threads - 1) / threads * step;
    for (int first = 0; first < count; first += each)
        all.emplace_back(work, first, std::min(first + each, count));
    for (auto& one : all) one.join();
}
}  // namespace

// Rays through the centres of a square picture, a multiple of four wide, from a perspective view (tracer/view.py).
extern "C" void packets(void* intersect, void* scene, const double* view, int size, int threads, int64_t* triangles) {
    in_threads(threads, size, TILE, [=](int first, int last) {
        Packet packet{};
        Arguments arguments(1 << 16);
        const float any_mask = [] { uint32_t mask = 3; float word; std::memcpy(&word, &mask, 4); return word; }();
        for (int top = first; top < last; top += TILE)
            for (int left = 0; left < size; left += TILE) {
                for (int lane = 0; lane < LANES; lane++) {
                    const double right = (2.0 * (left + lane % TILE + 0.5) / size - 1.0) * view[12];
                    const double up = (1.0 - 2.0 * (top + lane / TILE + 0.5) / size) * view[13];
                    for (int axis = 0; axis < 3; axis++) {
                        packet.words[axis * LANES + lane] = float(view[axis]);
                        packet.words[(4 + axis) * LANES + lane] =
                            float(view[9 + axis] + right * view[3 + axis] + up * view[6 + axis]);
                    }
                    packet.words[3 * LANES + lane] = float(view[15]);
                    packet.words[8 * LANES + lane] = float(view[16]);
                    packet.words[9 * LANES + lane] = any_mask;
                    for (int word = 17; word < 21; word++) {
                        const uint32_t invalid = 0xFFFFFFFF;
                        std::memcpy(&packet.words[word * LANES + lane], &invalid, 4);
                    }
                    packet.valid[lane] = -1;
                }
                reinterpret_cast<Intersect16>(intersect)(packet.valid, scene, packet.words, arguments.words);
                for (int lane = 0; lane < LANES; lane++) {
                    const bool has_hit = bits(packet.words[18 * LANES + lane]) != 0xFFFFFFFF;
                    triangles[(top + lane / TILE) * int64_t(size) + left + lane % TILE] =
                        has_hit ? int64_t(bits(packet.words[17 * LANES + lane])) : -1;
                }
            }
    });
}

// Rays one by one, (N, 6) float32: origin, direction.
extern "C" void singles(void* intersect, void* scene, const float* rays, int count, int threads, int64_t* triangles) {
    in_threads(threads, count, 1, [=](int first, int last) {
        Ray ray{};
        Arguments arguments(0);
        for (int index = first; index < last; index++) {
            for (int axis = 0; axis < 3; axis++) {
                ray.words[axis] = rays[6 * index + axis];
                ray.words[4 + axis] = rays[6 * index + 3 + axis];
            }
            ray.words[3] = 0.0f;
            ray.words[8] = INFINITY;
            const uint32_t mask = 3, invalid = 0xFFFFFFFF;
            std::memcpy(&ray.words[9], &mask, 4);
            for (int word = 17; word < 21; word++) std::memcpy(&ray.words[word], &invalid, 4);
            reinterpret_cast<Intersect1>(intersect)(scene, ray.words, arguments.words);
            triangles[index] = bits(ray.words[18]) != 0xFFFFFFFF ? int64_t(bits(ray.words[17])) : -1;
        }
    });
}
