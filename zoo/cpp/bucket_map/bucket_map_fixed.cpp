#include "bucket_map.hpp"

std::vector<std::pair<int, int>>::iterator BucketMap::Bucket::find(int key) {
    auto entry = entries.begin();
    while (entry != entries.end() && entry->first != key)
        ++entry;
    return entry;
}

std::optional<int> BucketMap::get(int key) {
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    auto found = b.find(key);
    if (found == b.entries.end())
        return std::nullopt;
    return found->second;
}

bool BucketMap::put_if_absent(int key, int value) {
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    if (b.find(key) != b.entries.end())
        return false;
    b.entries.emplace_back(key, value);
    return true;
}

bool BucketMap::remove(int key) {
    Bucket &b = bucket(key);
    std::lock_guard<std::mutex> held(b.lock);
    auto found = b.find(key);
    if (found == b.entries.end())
        return false;
    b.entries.erase(found);
    return true;
}
