#include "shared/codec_module.h"

LACUNA_MODULE(lacuna::readerModule<nullptr>("i-file"))
