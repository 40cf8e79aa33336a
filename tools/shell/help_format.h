#pragma once
// The format of --help: names on the left, their meaning on the right, in 100 columns.

#include <CLI/CLI.hpp>
#include <string>

namespace lacuna {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();
  std::string make_option(const CLI::Option* option, bool isPositional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_footer(const CLI::App* app) const override;
};

}  // namespace lacuna
