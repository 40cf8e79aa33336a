#pragma once
// Models of devices for which a graph can be planned and compiled without them: `lacuna plan --model NAME`,
// and the SPIR-V that comes with an installation (tools/cmake/shaders.cmake).

#include <string>
#include <vector>

namespace lacuna {

struct DeviceModel;

std::vector<std::string> deviceModelNames();
const DeviceModel& deviceModel(const std::string& name);  // one of these

}  // namespace lacuna
