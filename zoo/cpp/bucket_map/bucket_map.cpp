#include "bucket_map.hpp"

std::optional<int> BucketMap::get(int key) {
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    auto found = b.entries.find(key);
    if (found == b.entries.end())
        return std::nullopt;
    return found->second;
}

bool BucketMap::put_if_absent(int key, int value) {
    if (get(key).has_value())
        return false;
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    b.entries[key] = value;
    return true;
}

bool BucketMap::remove(int key) {
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    return b.entries.erase(key) > 0;
}
