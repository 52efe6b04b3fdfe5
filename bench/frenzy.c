/* Four Card Frenzy for one seat in plain C: the yardstick of the compiled rounds.
 *
 * The same work by the same tables: cards from Philox4x32-10, five cards each and one more, hands by look-up, the same
 * decisions, pays by outcome code, and a tally of every code. Written as a C programmer would, in one loop; tables come
 * from a file that the benchmark writes, so that both sides read the same numbers. Prints the net of all rounds in
 * cents, a hash of the tallies, and the seconds taken.
 *
 *     cc -O3 -march=native -o frenzy frenzy.c && ./frenzy TABLES SEED ROUNDS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOW 0xFFFFFFFFull
#define SUM_MASK ((1ull << 22) - 1)
#define ROW_BITS 8
#define FULL_NIBBLES (0x8888ull << 32)

static uint64_t head[16], card_keys[52];
static uint16_t *rows5, *rows6;
static uint32_t *entries5, *entries6, *flushes5, *flushes6;
static uint8_t *first, *picks;
static uint64_t *keys;
static int64_t *nets;
static uint32_t least[52], product[52];
static const uint8_t fresh[52] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17,
                                  18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
                                  36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51};

static inline void philox(uint32_t k0, uint32_t k1, uint64_t number, uint32_t attempt, uint32_t out[4]) {
    uint32_t c0 = (uint32_t)number, c1 = (uint32_t)(number >> 32), c2 = 0, c3 = attempt;
    for (int pass = 0; pass < 10; pass++) {
        uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

static inline void swap(uint8_t *deck, unsigned one, unsigned other) {
    uint8_t card = deck[one];
    deck[one] = deck[other];
    deck[other] = card;
}

static inline void deal(uint8_t *deck, uint32_t k0, uint32_t k1, uint64_t number) {
    uint32_t words[4];
    memcpy(deck, fresh, 52);
    philox(k0, k1, number, 0, words);
    for (unsigned which = 0; which < 4; which++) {
        unsigned at = 3 * which;
        uint64_t a = (uint64_t)words[which] * (52 - at);
        uint64_t b = (a & LOW) * (51 - at), c = (b & LOW) * (50 - at);
        if (__builtin_expect((c & LOW) < product[at], 0)) {
            for (uint32_t attempt = 1; (c & LOW) < least[at]; attempt++) {
                uint32_t again[4];
                philox(k0, k1, number, attempt, again);
                a = (uint64_t)again[which] * (52 - at);
                b = (a & LOW) * (51 - at);
                c = (b & LOW) * (50 - at);
            }
        }
        swap(deck, at, at + (unsigned)(a >> 32));
        swap(deck, at + 1, at + 1 + (unsigned)(b >> 32));
        swap(deck, at + 2, at + 2 + (unsigned)(c >> 32));
    }
}

static uint32_t suited(const uint32_t *flushes, uint64_t full, const uint8_t *cards, int count) {
    unsigned suit = (unsigned)(__builtin_ctzll(full) - 35) / 4;
    unsigned mask = 0;
    for (int i = 0; i < count; i++)
        if ((cards[i] & 3u) == suit) mask |= 1u << (cards[i] >> 2);
    return flushes[suit * 8192 + mask];
}

static inline uint32_t place_of(const uint16_t *rows, uint64_t key) {
    uint32_t total = (uint32_t)(key & SUM_MASK);
    return rows[total >> ROW_BITS] + (total & ((1u << ROW_BITS) - 1));
}

static inline uint32_t look(const uint16_t *rows, const uint32_t *entries, const uint32_t *flushes, uint64_t key,
                            uint64_t bias, const uint8_t *cards, int count) {
    uint32_t entry = entries[place_of(rows, key)];
    uint64_t full = (key + bias) & FULL_NIBBLES;
    if (full) {
        uint32_t flush = suited(flushes, full, cards, count);
        if ((flush & 0xFFFF) > (entry & 0xFFFF)) entry = flush;
    }
    return entry;
}

static void order(uint64_t *a, uint64_t *b) {
    if (*a < *b) {
        uint64_t t = *a;
        *a = *b;
        *b = t;
    }
}

static uint8_t search(const uint8_t *cards) {
    uint64_t m[4] = {0, 0, 0, 0};
    for (int i = 0; i < 5; i++) m[cards[i] & 3] |= 1ull << (cards[i] >> 2);
    order(&m[0], &m[1]);
    order(&m[2], &m[3]);
    order(&m[0], &m[2]);
    order(&m[1], &m[3]);
    order(&m[1], &m[2]);
    uint64_t key = m[0] | m[1] << 13 | m[2] << 26 | m[3] << 39;
    uint64_t low = 0, high = head[7];
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return picks[low];
}

static void *take(FILE *file, size_t size) {
    void *room = malloc(size);
    if (room == NULL || fread(room, 1, size, file) != size) {
        fprintf(stderr, "the file of tables is too short\n");
        exit(2);
    }
    return room;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    FILE *file = fopen(argv[1], "rb");
    if (file == NULL || fread(head, 8, 16, file) != 16 || fread(card_keys, 8, 52, file) != 52) return 2;
    rows5 = take(file, head[0] * 2);
    entries5 = take(file, head[1] * 4);
    flushes5 = take(file, 4 * 8192 * 4);
    rows6 = take(file, head[2] * 2);
    entries6 = take(file, head[3] * 4);
    flushes6 = take(file, 4 * 8192 * 4);
    first = take(file, head[4]);
    keys = take(file, head[7] * 8);
    picks = take(file, head[7]);
    nets = take(file, head[8] * 8);
    uint8_t *places = take(file, 11);
    fclose(file);
    uint64_t seed = strtoull(argv[2], NULL, 10), rounds = strtoull(argv[3], NULL, 10);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    uint64_t bias5 = head[5], bias6 = head[6], colours = head[9], sixes = head[10];
    uint32_t qualifies = (uint32_t)head[11];
    int64_t *tallies = calloc(head[8], 8);
    for (uint32_t at = 0; at < 50; at++) {
        product[at] = (52 - at) * (51 - at) * (50 - at);
        least[at] = (uint32_t)(0x100000000ull % product[at]);
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int64_t total = 0;
    unsigned __int128 squares = 0;
    uint8_t deck[52], own[6], dealer[5];
    for (uint64_t number = 0; number < rounds; number++) {
        deal(deck, k0, k1, number);
        uint64_t key = 0, theirs = 0;
        for (int i = 0; i < 5; i++) {
            own[i] = deck[places[i]];
            dealer[i] = deck[places[5 + i]];
            key += card_keys[own[i]];
            theirs += card_keys[dealer[i]];
        }
        own[5] = deck[places[10]];
        uint32_t mine = look(rows5, entries5, flushes5, key, bias5, own, 5);
        uint32_t level = look(rows5, entries5, flushes5, theirs, bias5, dealer, 5) & 0xFFFF;
        uint32_t six = look(rows6, entries6, flushes6, key + card_keys[own[5]], bias6, own, 6);
        uint8_t choice = first[2 * place_of(rows5, key) + (((key + bias5) & FULL_NIBBLES) != 0)];
        if (choice == 255) choice = search(own);
        uint32_t high = mine & 0xFFFF;
        uint32_t versus = (high >= level) + (high > level);
        uint32_t main_code = ((choice * 2u + (level >= qualifies)) * 3 + versus) * 15 + (mine >> 16 & 0xFF);
        uint32_t reds = (uint32_t)((key >> 36 & 15) + (key >> 40 & 15));
        uint64_t colour = colours + (reds < 5 - reds ? reds : 5 - reds);
        uint64_t sixth = sixes + (six >> 16 & 0xFF);
        tallies[main_code]++;
        tallies[colour]++;
        tallies[sixth]++;
        int64_t net = nets[main_code] + nets[colour] + nets[sixth];
        total += net;
        squares += (unsigned __int128)(net * net);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t hash = (uint64_t)squares;
    for (uint64_t code = 0; code < head[8]; code++) hash = hash * 1099511628211ull + (uint64_t)tallies[code];
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("%lld %llu %.6f %.6f\n", (long long)total, (unsigned long long)hash, seconds,
           (double)used.tv_sec + (double)used.tv_nsec / 1e9);
    return 0;
}
