#include "shared/codec_module.h"

LACUNA_MODULE(lacuna::readerModule<&lacuna::io::npyCodec>("i-npy"))
