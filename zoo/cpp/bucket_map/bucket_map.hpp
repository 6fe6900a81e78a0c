#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

// A map from integers to integers, spread over buckets with a lock each.
class BucketMap {
public:
    std::optional<int> get(int key);
    // False, and nothing changed, if the key was there already.
    bool put_if_absent(int key, int value);
    // False if the key was not there.
    bool remove(int key);

private:
    static constexpr int bucket_count = 2;

    struct Bucket {
        std::mutex lock;
        std::vector<std::pair<int, int>> entries; // key and value

        std::vector<std::pair<int, int>>::iterator find(int key);
    };

    Bucket &bucket(int key) { return buckets_[key % bucket_count]; }

    Bucket buckets_[bucket_count];
};
