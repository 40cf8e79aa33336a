#pragma once
// A bundle's filter in a renderer's commands: all of this program that is about Lacuna.

#include <lacuna/runtime.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vulkan/vulkan_raii.hpp>

// What is NULL has a message.
template <class Made>
Made* opened(Made* made) {
  return made != nullptr ? made : throw std::runtime_error(lacuna_last_error());
}

struct Close {
  void operator()(lacuna_bundle* bundle) const { lacuna_close_bundle(bundle); }
  void operator()(lacuna_device* device) const { lacuna_close_device(device); }
  void operator()(lacuna_pipeline* pipeline) const { lacuna_close_pipeline(pipeline); }
};

class Filter {
 public:
  explicit Filter(const char* file) : bundle_(opened(lacuna_open_bundle(file))) {
    uint32_t count = 0;
    size_ = opened(lacuna_bundle_sizes(bundle_.get(), &count));  // the first one
  }
  vk::Extent2D size() const {
    return vk::Extent2D(static_cast<uint32_t>(size_->width), static_cast<uint32_t>(size_->height));
  }

  // The renderer's images are in the layout GENERAL. Lacuna can't see their formats.
  struct Image {
    std::string name;
    vk::Format format;
    vk::Image image;
    vk::ImageView view;
  };
  void start(const lacuna_vulkan& device, const std::vector<Image>& images, int inFlight) {
    std::string wrong;
    for (const auto& ends :
         {std::span(size_->sources, size_->source_count), std::span(size_->sinks, size_->sink_count)})
      for (const lacuna_end& end : ends) {
        const auto image = std::ranges::find(images, end.name, &Image::name);
        if (image == images.end() || image->format != vk::Format(end.image))
          wrong += std::string("\n  ") + end.name + ", " + vk::to_string(vk::Format(end.image));
        else
          memory_.push_back({end.name, {}, 0, image->image, image->view, {}, size_->width, size_->height});
      }
    if (!wrong.empty())
      throw std::runtime_error("the bundle takes what the renderer hasn't; CMakeLists.txt has its formats:" +
                               wrong);
    device_.reset(opened(lacuna_open_device(&device)));
    pipeline_.reset(
        opened(lacuna_bundle_pipeline(bundle_.get(), device_.get(), size_->width, size_->height, inFlight)));
  }

  void record(VkCommandBuffer commands, int number) {
    const lacuna_frame frame{
        sizeof frame, number, 0, memory_.data(), nullptr, static_cast<uint32_t>(memory_.size()), 0};
    if (lacuna_record(pipeline_.get(), commands, &frame) != 0)
      throw std::runtime_error(lacuna_last_error());
  }

 private:
  std::unique_ptr<lacuna_bundle, Close> bundle_;
  const lacuna_bundle_size* size_ = nullptr;
  std::unique_ptr<lacuna_device, Close> device_;
  std::unique_ptr<lacuna_pipeline, Close> pipeline_;
  std::vector<lacuna_memory> memory_;  // what the bundle reads and writes
};
