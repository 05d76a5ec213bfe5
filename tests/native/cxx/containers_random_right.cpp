/* containers_random_right.cpp - random insertions, removals, splices and swaps, compared with a
 * sorted vector that does the same. The runtime has its own functions for the trees and links of
 * libstdc++. So the test checks the order in both directions, the first and the last element, and
 * the depth. A red-black tree of 2^k - 1 elements is at most 2k deep. One task does all this, then
 * two tasks only read: 1 execution.
 * expect: verified */
#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <thread>
#include <vector>

static unsigned state = 1;

static unsigned draw(unsigned bound) {
    state = state * 1103515245 + 12345;
    return (state >> 16) % bound;
}

/* The header of a node, to which an iterator points: colour, parent, left, right. */
struct node {
    int black;
    node *parent, *left, *right;
};

/* The number of black nodes on each way down. Also checks colours and links. */
static int black_height(const node *at, const node *parent, int depth, int *deepest) {
    if (at == nullptr)
        return 1;
    assert(at->parent == parent);
    if (!at->black)
        assert((at->left == nullptr || at->left->black) &&
               (at->right == nullptr || at->right->black));
    *deepest = std::max(*deepest, depth);
    int left = black_height(at->left, at, depth + 1, deepest);
    assert(left == black_height(at->right, at, depth + 1, deepest));
    return left + (at->black != 0);
}

template <class Map>
static void check(Map &map, std::vector<int> &model) {
    std::vector<int> forward, backward;
    for (auto it = map.cbegin(); it != map.cend(); ++it)
        forward.push_back(it->first);
    for (auto it = map.end(); it != map.begin();)
        backward.push_back((--it)->first);
    std::reverse(backward.begin(), backward.end());
    assert(forward == model && backward == model);
    if (model.empty())
        return;
    assert(map.begin()->first == model.front() && map.rbegin()->first == model.back());
    auto end = map.end();
    const node *header = *reinterpret_cast<node **>(&end);
    int deepest = 0, bits = 0;
    assert(header->parent->black);
    black_height(header->parent, header, 1, &deepest);
    for (size_t size = model.size() + 1; size > 1; size = (size + 1) / 2)
        bits++;
    assert(deepest <= 2 * bits);
}

static void trees() {
    std::multimap<int, int> map;
    std::vector<int> model;
    for (int i = 0; i < 600; i++) {
        int value = static_cast<int>(draw(100));
        bool remove = draw(100) < (i % 200 < 100 ? 30u : 70u);
        auto at = map.find(value);
        if (remove && at != map.end()) {
            map.erase(at);
            model.erase(std::find(model.begin(), model.end(), value));
        } else {
            map.emplace(value, i);
            model.insert(std::upper_bound(model.begin(), model.end(), value), value);
        }
        if (i % 7 == 0 || map.size() < 4)
            check(map, model);
    }
    while (!map.empty()) {
        auto at = map.begin();
        unsigned steps = draw(static_cast<unsigned>(map.size()));
        std::advance(at, steps);
        model.erase(model.begin() + steps);
        map.erase(at);
        check(map, model);
    }
}

static void compare(std::list<int> &list, const std::vector<int> &model) {
    assert(std::vector<int>(list.begin(), list.end()) == model);
    assert(std::vector<int>(list.rbegin(), list.rend()) ==
           std::vector<int>(model.rbegin(), model.rend()));
}

static void lists() {
    std::list<int> a, b;
    std::vector<int> in_a, in_b;
    for (int i = 0; i < 300; i++) {
        switch (draw(6)) {
        case 0: a.push_back(i), in_a.push_back(i); break;
        case 1: b.push_front(i), in_b.insert(in_b.begin(), i); break;
        case 2: a.reverse(), std::reverse(in_a.begin(), in_a.end()); break;
        case 3: a.swap(b), in_a.swap(in_b); break;
        case 4:
            if (!a.empty())
                a.pop_front(), in_a.erase(in_a.begin());
            break;
        case 5: /* moves the second half of b before the second element of a */
            if (a.empty())
                break;
            auto half = static_cast<long>(in_b.size() / 2);
            a.splice(std::next(a.begin()), b, std::next(b.begin(), half), b.end());
            in_a.insert(in_a.begin() + 1, in_b.begin() + half, in_b.end());
            in_b.erase(in_b.begin() + half, in_b.end());
            break;
        }
        compare(a, in_a);
        compare(b, in_b);
    }
}

int main() {
    trees();
    lists();
    std::map<int, int> shared = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    std::list<int> chain = {1, 2, 3};
    auto read = [&] {
        int sum = 0;
        for (auto it = shared.rbegin(); it != shared.rend(); ++it)
            sum += it->second;
        for (int value : chain)
            sum += value;
        assert(sum == 16 && shared.find(3) != shared.end());
    };
    std::thread other(read);
    read();
    other.join();
}
