#include "shared/codec_module.h"

LACUNA_MODULE(lacuna::writerModule<nullptr>("o-file"))
