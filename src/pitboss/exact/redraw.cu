// The passes of redraw_cuda.py; cards, pays and sums as in redraw_kernels.py.
typedef long long i64; typedef unsigned long long u64; typedef unsigned char u8; typedef unsigned short u16;
#define C2(x) ((x)*((x)-1)/2)
#define C3(x) ((x)*((x)-1)*((x)-2)/6)
__constant__ int c4[64]; __constant__ int c5[64];
#define C4(x) (c4[x])
#define C5(x) (c5[x])
extern __shared__ u8 memory[];

struct Hand { int m; const u8* rest; };

__device__ void fill_rest(int n, const u8* final, u8* rest) {
  int found = 0, taken = 0;
  for (int card = 0; card < n; card++) if (taken < 5 && final[taken] == card) taken++; else rest[found++] = card;
}

__device__ int four_at(int a, int b, int c, int d) { return C4(d) + C3(c) + C2(b) + a; }

// Kept cards of a final hand: two, three, four or five of it discarded; ten, ten, five parts and one.
__device__ void parts_of(const u8* final, int* parts) {
  int at = 0;
  for (int a = 0; a < 5; a++) for (int b = a + 1; b < 5; b++) for (int c = b + 1; c < 5; c++)
    parts[at++] = C3((int)final[c]) + C2((int)final[b]) + final[a];
  for (int a = 0; a < 5; a++) for (int b = a + 1; b < 5; b++) parts[at++] = C2((int)final[b]) + final[a];
  for (int a = 0; a < 5; a++) parts[at++] = final[a];
}

__device__ int cell_of(int rank, int least, int own) { return rank < least ? 0 : rank > own ? 1 : rank == own ? 2 : 3; }

// M3 of one triple over byte values with an offset, or over cells packed.
template <class T, class V> __device__ T over(int a, int b, int c, int m, const u8* four, V value) {
  T total = 0;
  for (int x = 0; x < a; x++) total += value(four[C4(c) + C3(b) + C2(a) + x]);
  for (int x = a + 1; x < b; x++) total += value(four[C4(c) + C3(b) + C2(x) + a]);
  for (int x = b + 1; x < c; x++) total += value(four[C4(c) + C3(x) + C2(b) + a]);
  for (int x = c + 1; x < m; x++) total += value(four[C4(x) + C3(c) + C2(b) + a]);
  return total;
}

template <class T> __device__ void lower_sums(int m, const T* three, T* two, T* one, T* all) {
  int pairs = C2(m);
  for (int b = 1 + threadIdx.x / 64; b < m; b += blockDim.x / 64) for (int a = threadIdx.x % 64; a < b; a += 64) {
    T total = 0;
    for (int x = 0; x < a; x++) total += three[C3(b) + C2(a) + x];
    for (int x = a + 1; x < b; x++) total += three[C3(b) + C2(x) + a];
    for (int x = b + 1; x < m; x++) total += three[C3(x) + C2(b) + a];
    two[C2(b) + a] = total / 2;
  }
  __syncthreads();
  for (int a = threadIdx.x; a < m; a += blockDim.x) {
    T total = 0;
    for (int x = 0; x < m; x++) if (x != a) total += two[x < a ? C2(a) + x : C2(x) + a];
    one[a] = total / 3;
  }
  __syncthreads();
  if (threadIdx.x == 0) { T total = 0; for (int a = 0; a < m; a++) total += one[a]; *all = total / 4; }
  __syncthreads();
}

extern "C" __global__ void spread(int n, int hands, int first, int least, const u16* ranks, const u8* finals, const int* weights,
    const int* own, const int* values, const u16* pairs, const int* units, const int* unit_ends,
    int* two_all, int counts, u64* w2, u64* w3, u64* w4, u64* w5) {
  int m = n - 5, fours = C4(m), threes = C3(m), twos = C2(m);
  u8* four = memory;
  int* three = (int*)(memory + ((fours + 7) / 8) * 8);
  int* half = three + threes;
  u16* low = (u16*)(half + twos);
  u8* rest = (u8*)(low + twos + (twos & 1));
  __shared__ int parts[25]; __shared__ int one[64]; __shared__ int all; __shared__ int value[4]; __shared__ int least_value;
  int* two = two_all + blockIdx.x * twos;
  int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
  size_t n2 = C2(n), n3 = C3(n), n4 = C4(n);
  for (int row = first + blockIdx.x; row < hands; row += gridDim.x) {
    __syncthreads();
    if (tid == 0) {
      fill_rest(n, finals + 5 * row, rest); parts_of(finals + 5 * row, parts);
      int lowest = values[4 * row];
      for (int k = 0; k < 4; k++) lowest = min(lowest, values[4 * row + k]);
      for (int k = 0; k < 4; k++) value[k] = values[4 * row + k] - lowest;
      least_value = lowest;
    }
    __syncthreads();
    int mine = own[row], bias = least_value; u64 weight = weights[row];
    for (int p = tid; p < twos; p += blockDim.x) low[p] = C2((int)rest[pairs[p] >> 8]) + rest[pairs[p] & 255];
    __syncthreads();
    for (int cd = warp; cd < twos; cd += warps) {
      int c = pairs[cd] & 255, d = pairs[cd] >> 8;
      int at = C4((int)rest[d]) + C3((int)rest[c]);
      for (int p = lane; p < C2(c); p += 32)
        four[C4(d) + C3(c) + p] = value[cell_of(ranks[at + low[p]], least, mine)];
    }
    __syncthreads();
    for (int u = warp; u < unit_ends[m]; u += warps) {
      int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
      if (p < C2(c)) {
        int a = pairs[p] & 255, b = pairs[p] >> 8;
        three[C3(c) + p] = over<int>(a, b, c, m, four, [&](u8 v) { return (int)v + bias; });
      }
    }
    __syncthreads();
    lower_sums<int>(m, three, two, one, &all);
    if (counts & 4) for (int p = tid; p < twos; p += blockDim.x) {
      int a = pairs[p] & 255, b = pairs[p] >> 8;
      int v = all - one[a] - one[b] + two[p];
      if (v > 0) for (int k = 0; k < 10; k++) atomicAdd(w2 + parts[k] * n2 + low[p], weight * v);
    }
    if (counts & 8) for (int u = warp; u < unit_ends[m]; u += warps) {
      int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
      if (p >= C2(c)) continue;
      int a = pairs[p] & 255, b = pairs[p] >> 8;
      int v = all - one[a] - one[b] - one[c] + two[p] + two[C2(c) + a] + two[C2(c) + b] - three[C3(c) + p];
      if (v > 0) { int at = C3((int)rest[c]) + low[p]; for (int k = 10; k < 20; k++) atomicAdd(w3 + parts[k] * n3 + at, weight * v); }
    }
    if (counts & 16) for (int d = 3; d < m; d++) {
      __syncthreads();
      for (int p = tid; p < C2(d); p += blockDim.x) {
        int a = pairs[p] & 255, b = pairs[p] >> 8;
        half[p] = 2 * (two[p] - three[C3(d) + p]) - one[a] - one[b] + two[C2(d) + a] + two[C2(d) + b];
      }
      __syncthreads();
      int base = 2 * (all - one[d]), at_d = C4((int)rest[d]);
      for (int u = warp; u < unit_ends[d]; u += warps) {
        int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
        if (p >= C2(c)) continue;
        int a = pairs[p] & 255, b = pairs[p] >> 8;
        int v = base + half[p] + half[C2(c) + a] + half[C2(c) + b] + 2 * ((int)four[C4(d) + C3(c) + p] + bias - three[C3(c) + p]);
        if (v > 0) { int at = at_d + C3((int)rest[c]) + low[p]; u64 add = weight * (v >> 1);
          for (int k = 20; k < 25; k++) atomicAdd(w4 + parts[k] * n4 + at, add); }
      }
    }
    if (counts & 32) for (int e = 4; e < m; e++) for (int d = 3; d < e; d++) {
      __syncthreads();
      for (int p = tid; p < C2(d); p += blockDim.x) {
        int a = pairs[p] & 255, b = pairs[p] >> 8;
        int inner = two[p] - three[C3(d) + p] - three[C3(e) + p] + (int)four[C4(e) + C3(d) + p] + bias;
        int of_a = -one[a] + two[C2(d) + a] + two[C2(e) + a] - three[C3(e) + C2(d) + a];
        int of_b = -one[b] + two[C2(d) + b] + two[C2(e) + b] - three[C3(e) + C2(d) + b];
        half[p] = 2 * inner + of_a + of_b;
      }
      __syncthreads();
      int base = 2 * (all - one[d] - one[e] + two[C2(e) + d]), at_de = C5((int)rest[e]) + C4((int)rest[d]);
      const u8* with_d = four + C4(d); const u8* with_e = four + C4(e);
      for (int u = warp; u < unit_ends[d]; u += warps) {
        int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
        if (p >= C2(c)) continue;
        int a = pairs[p] & 255, b = pairs[p] >> 8, t = C3(c) + p;
        int v = base + half[p] + half[C2(c) + a] + half[C2(c) + b] + 2 * ((int)with_d[t] + with_e[t] + 2 * bias - three[t]);
        if (v > 0) atomicAdd(w5 + at_de + C3((int)rest[c]) + low[p], weight * (v >> 1));
      }
    }
  }
}

__device__ int number_of(const u8* cards, int count) {
  int index = 0;
  for (int k = 0; k < count; k++) { int x = cards[k]; index += k == 0 ? x : k == 1 ? C2(x) : k == 2 ? C3(x) : k == 3 ? C4(x) : C5(x); }
  return index;
}

__device__ int renamed(const u8* cards, int count, const u8* names, u8* held) {
  for (int place = 0; place < count; place++) {
    u8 card = names[cards[place]]; int at = place;
    while (at > 0 && held[at - 1] > card) { held[at] = held[at - 1]; at--; }
    held[at] = card;
  }
  return number_of(held, count);
}

__device__ void split(const u8* hand, int mask, u8* keep, u8* gone) {
  int kept = 0, given = 0;
  for (int place = 0; place < 5; place++) if (mask >> place & 1) gone[given++] = hand[place]; else keep[kept++] = hand[place];
}

extern "C" __global__ void choose(int n, int hands, const u8* finals, const u8* names, int count, const u64* totals, size_t wide,
    i64 factor, u8* picked, i64* best) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= hands) return;
  u8 keep[5], gone[5], held[5];
  for (int mask = 0; mask < 32; mask++) {
    if (__popc(mask) != count) continue;
    split(finals + 5 * row, mask, keep, gone);
    i64 total = 0;
    for (int turn = 0; turn < 6; turn++) {
      size_t part = renamed(keep, 5 - count, names + turn * n, held);
      total += (i64)totals[part * wide + renamed(gone, count, names + turn * n, held)];
    }
    total *= factor;
    if (total > best[row]) { best[row] = total; picked[row] = mask; }
  }
}

extern "C" __global__ void mark(int n, int hands, const u8* finals, const int* weights, const u8* names, int count, const u8* picked,
    u8* chosen, size_t wide) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= hands || __popc(picked[row]) != count) return;
  u8 keep[5], gone[5], held[5];
  split(finals + 5 * row, picked[row], keep, gone);
  for (int turn = 0; turn < 6; turn++) {
    size_t part = renamed(keep, 5 - count, names + turn * n, held);
    chosen[part * wide + renamed(gone, count, names + turn * n, held)] += weights[row];
  }
}

extern "C" __global__ void tally(int n, int hands, int first, int least, const u16* ranks, const u8* finals, const int* weights,
    const int* own, const int* values, const u16* pairs, const int* units, const int* unit_ends, i64* scratch, int count,
    const u8* chosen, size_t wide, const u8* then, int up, u64* out) {
  int m = n - 5, fours = C4(m), threes = C3(m), twos = C2(m);
  u8* four = memory;
  u8* rest = memory + fours;
  i64* three = scratch + (size_t)blockIdx.x * (threes + twos + m + 1);
  i64* two = three + threes; i64* one = two + twos; i64* all = one + m;
  __shared__ int parts[25]; __shared__ int value[4];
  int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, warps = blockDim.x >> 5;
  int from = count == 2 ? 0 : count == 3 ? 10 : 20, many = count == 5 ? 1 : count == 4 ? 5 : 10;
  i64 dealt = C4(m - count), field = (1 << 20) - 1;
  for (int row = first + blockIdx.x; row < hands; row += gridDim.x) {
    __syncthreads();
    if (tid == 0) {
      fill_rest(n, finals + 5 * row, rest); parts_of(finals + 5 * row, parts);
      if (count == 5) parts[20] = 0;
      for (int k = 0; k < 4; k++) value[k] = values[4 * row + k];
    }
    __syncthreads();
    int mine = own[row];
    for (int cd = warp; cd < twos; cd += warps) {
      int c = pairs[cd] & 255, d = pairs[cd] >> 8, at = C4((int)rest[d]) + C3((int)rest[c]);
      for (int p = lane; p < C2(c); p += 32)
        four[C4(d) + C3(c) + p] = cell_of(ranks[at + C2((int)rest[pairs[p] >> 8]) + rest[pairs[p] & 255]], least, mine);
    }
    __syncthreads();
    auto packed = [](u8 cell) { return cell == 0 ? (i64)1 : cell == 2 ? (i64)1 << 20 : cell == 3 ? (i64)1 << 40 : (i64)0; };
    for (int u = warp; u < unit_ends[m]; u += warps) {
      int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
      if (p < C2(c)) three[C3(c) + p] = over<i64>(pairs[p] & 255, pairs[p] >> 8, c, m, four, packed);
    }
    __syncthreads();
    lower_sums<i64>(m, three, two, one, all);
    i64 ends[5] = {0, 0, 0, 0, 0};
    auto look = [&](int* set, int held) {
      int at = 0, alike = 0;
      for (int k = 0; k < held; k++) { int x = rest[set[k]]; alike += x >= up && x < up + 3; at += k == 0 ? x : k == 1 ? C2(x) : k == 2 ? C3(x) : k == 3 ? C4(x) : C5(x); }
      i64 times = 0;
      for (int k = 0; k < many; k++) times += chosen[parts[from + k] * wide + at];
      if (!times) return;
      i64 found = *all;
      for (int i = 0; i < held; i++) {
        found -= one[set[i]];
        for (int j = 0; j < i; j++) {
          found += two[C2(set[i]) + set[j]];
          for (int k = 0; k < j; k++) {
            found -= three[C3(set[i]) + C2(set[j]) + set[k]];
            for (int h = 0; h < k; h++) found += packed(four[four_at(set[h], set[k], set[j], set[i])]);
          }
        }
      }
      i64 less = found & field, level = found >> 20 & field, better = found >> 40, worse = dealt - less - level - better;
      i64 gain = less * value[0] + worse * value[1] + level * value[2] + better * value[3];
      times *= weights[row];
      if (then[row] == 255 ? gain > 0 : alike >= then[row]) { ends[1] += times * less; ends[2] += times * worse; ends[3] += times * level; ends[4] += times * better; }
      else ends[0] += times * dealt;
    };
    int set[5];
    if (count == 2) for (int p = tid; p < twos; p += blockDim.x) { set[0] = pairs[p] & 255; set[1] = pairs[p] >> 8; look(set, 2); }
    else for (int top = 0; top < (count == 3 ? 1 : count == 4 ? m : twos); top++) {
      int d = count == 3 ? m : count == 4 ? top : pairs[top] & 255, e = count == 5 ? pairs[top] >> 8 : 0;
      for (int u = warp; u < unit_ends[d]; u += warps) {
        int c = units[u] & 255, p = (units[u] >> 8) * 32 + lane;
        if (p >= C2(c)) continue;
        set[0] = pairs[p] & 255; set[1] = pairs[p] >> 8; set[2] = c; set[3] = d; set[4] = e;
        look(set, count);
      }
    }
    for (int k = 0; k < 5; k++) {
      for (int step = 16; step; step >>= 1) ends[k] += __shfl_down_sync(0xffffffffu, ends[k], step);
      if (lane == 0 && ends[k]) atomicAdd(out + 5 * row + k, (u64)ends[k]);
    }
  }
}
