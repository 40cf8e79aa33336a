#pragma once
// The attributes of an OpenEXR file's headers, before OpenEXR reads them: it allocates what an attribute
// promises, up to 2 GB, before it finds the file shorter.

#include <string>

namespace lacuna::io {

// The name of the file for OpenEXR, each time that it opens one. Throws FileError for what is no regular
// file, and where an attribute takes more bytes than the file has behind it.
// https://openexr.com/en/latest/OpenEXRFileLayout.html
const char* soundExr(const std::string& path);

}  // namespace lacuna::io
