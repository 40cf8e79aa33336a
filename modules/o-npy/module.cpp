#include "shared/codec_module.h"

LACUNA_MODULE(lacuna::writerModule<&lacuna::io::npyCodec>("o-npy"))
