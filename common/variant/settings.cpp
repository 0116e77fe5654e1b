// SPDX-License-Identifier: MIT
#include "common/variant/settings.hpp"

#include <algorithm>

namespace convolab {

std::string option_name(const Setting& setting) {
    std::string name = std::string("--") + setting.name;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::vector<Settings> combinations(unsigned uses, const SettingLists& lists) {
    Settings none;
    for (const Setting& setting : kSettings) none.*setting.value = 0;
    std::vector<Settings> all = {none};
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if ((uses & kSettings[i].use) == 0) continue;
        std::vector<Settings> longer;
        for (const Settings& settings : all)
            for (const int value : lists[i]) {
                longer.push_back(settings);
                longer.back().*kSettings[i].value = value;
            }
        all = std::move(longer);
    }
    return all;
}

std::vector<Settings> verify_settings(unsigned uses) {
    std::size_t launches = 1;
    for (const Setting& setting : kSettings)
        if (uses & setting.use) launches = std::max(launches, setting.verify_values.size());
    std::vector<Settings> all(launches);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const Setting& setting : kSettings)
            if (uses & setting.use) all[i].*setting.value = setting.verify_values[i];
    return all;
}

std::string describe(const Settings& settings, unsigned uses) {
    std::string text;
    for (const Setting& setting : kSettings) {
        const int value = settings.*setting.value;
        if ((uses & setting.use) == 0 || value == 0) continue;
        text +=
            (text.empty() ? "" : ", ") + std::string(setting.name) + ' ' + std::to_string(value);
    }
    return text;
}

std::string to_words(const Settings& settings, unsigned uses) {
    std::string text;
    for (const Setting& setting : kSettings)
        if (uses & setting.use)
            text += (text.empty() ? "" : " ") + std::string(setting.name) + '=' +
                    std::to_string(settings.*setting.value);
    return text;
}

}  // namespace convolab
