#ifndef LACUNA_MODULE_ABI_H
#define LACUNA_MODULE_ABI_H
/* Native code of a module: the whole contract between the runtime and a module.so, in C.
 *
 * A module needs native code where it reads or writes files, or where its nodes depend on data (the layers of
 * a network). module.toml still says what the module is; a node of kind "source" or "sink" there is served by
 * probe() and read() or by write(), one of kind "native" by build(), one of kind "host" by compute(). The
 * code is loaded when a graph uses the module, not to list or describe it.
 *
 * Strings are UTF-8, end with a zero byte and live as long as the call. Every struct starts with its size in
 * bytes as the side that makes it knows it: new fields come at the end, and nobody touches a field beyond the
 * size. So structs are never laid side by side or inside each other: lists are of pointers. No exception may
 * leave an entry point. probe(), read(), write() and compute() may run on several threads at once, for
 * different frames and modules; describe() and build() never do.
 *
 * Entry points return 0, or another number after at least one report() with lacuna_error. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when something changes that size fields can't carry. A module.so of another number is refused. */
#define LACUNA_ABI 1

/* lacuna_note: what a run has found, for read() and write(); a warning elsewhere. */
enum lacuna_severity { lacuna_error = 0, lacuna_warning = 1, lacuna_note = 2 };

/* What flows along a connection; graph/values/image_type.h says how pixels lie in memory. */
enum lacuna_channels {
  lacuna_y,
  lacuna_rgb,
  lacuna_rgba,
  lacuna_mv,
  lacuna_normal,
  lacuna_depth,
  lacuna_any1,
  lacuna_any2,
  lacuna_any4,
  lacuna_mosaic
};
enum lacuna_format { lacuna_u8, lacuna_u16, lacuna_f16, lacuna_f32, lacuna_u32 };
enum lacuna_colour { lacuna_rec2020, lacuna_rec709, lacuna_data, lacuna_own };

typedef struct lacuna_type {
  uint32_t size;
  uint32_t channels; /* lacuna_channels */
  uint32_t format;   /* lacuna_format */
  uint32_t colour;   /* lacuna_colour */
  uint32_t width;    /* of an image or of planes, in pixels; 0 for other arrays */
  uint32_t height;
  uint32_t count; /* elements of an array; 0: an image. An array with an extent is planes, whole images one
                     after the other, of one 32-bit number a pixel: planes * width * height elements */
  /* Sizes of an array other than planes, outermost first, those behind the last one 0; their product is the
   * count. All 0: one size, the count. Elements lie in the order of C; those of one lacuna_f16 take 2 bytes.
   */
  uint32_t shape[4];
  /* Of a mosaic: colours of 6x6 pixels, which repeat. Two rows a word, two bits a pixel from the lowest on,
   * the even row first; 1: R, 2: G, 3: B. All 0: a sensor without colours. */
  uint32_t pattern[3];
} lacuna_type;

/* A parameter's value in the frame at hand. */
typedef struct lacuna_parameter {
  uint32_t size;
  uint32_t count; /* values */
  const char* name;
  const double* numbers; /* float, int and bool (0 or 1); NULL for others */
  const char* word;      /* string and choice; NULL for others */
  uint32_t is_set; /* 1: by the graph or the command line; 0: it has its default, or what settle() set */
} lacuna_parameter;

/* What every entry point is told. */
typedef struct lacuna_call {
  uint32_t size;
  uint32_t parameter_count;
  const lacuna_parameter* const* parameters; /* in the order of module.toml; none in describe() */
  const char* instance;                      /* "i-png:01"; in describe() the module's name */
  const char* module_folder;                 /* where module.toml lies */
  const char* graph_folder;                  /* where relative file names of the graph start; "": here */
  /* For modules with a string parameter `filename`: the file of this frame, with its number filled in and
   * relative to the working directory. NULL for others and where it is empty. A sink's is "-" for standard
   * output; a source that reads standard input is given a file that holds it. */
  const char* path;
  int64_t frame; /* in probe() and build() the first that runs; 0 in describe() */
  /* Says what is wrong: `parameter` is the name of the one to blame, or NULL. `host` is the pointer beside
   * it. The text alone should do: which file, what was found and what was expected. Any thread may call it.
   */
  void (*report)(void* host, int severity, const char* parameter, const char* text);
  void* host;
  /* In settle() and write() of a sink, and in build() if module.toml says `origin = true`: what the source
   * was told that the module's main input comes from, with the file of the same frame as `path`, and the
   * output of that source. The main input is the one called `input`, or the first one that is connected; it
   * is followed through all modules in between. NULL: that leads to no source with a file. */
  const struct lacuna_call* origin;
  const char* origin_output;
  /* Names a file that the code reads beside `path`, such as a texture of a scene: no output of the run may
   * replace it. For probe() of sources; files that parameters with `file = true` name need none. `host` is
   * the pointer above. Any thread may call it. */
  void (*reads)(void* host, const char* file);
  /* In read() and write(), where the picture passes through memory in rows, from the top; NULL: all of it is
   * there. read() calls it with each `end`: the rows above it are complete, and may be gone when it returns.
   * write() calls it before it reads rows: it returns when those above `end` are complete, and those above
   * the last call's `end` may be gone. 0: write() has to see all rows at once; it is called again. Not 0
   * returned: the call must fail. One thread calls it. */
  int (*rows)(void* host, uint32_t end);
  /* In build() for a tile, and in compute() of one, whose extent the images have: that of the picture.
   * Otherwise 0. */
  uint32_t whole_width, whole_height;
  /* In read() of a source, and for the origin in write() and build(): the file `path`, which the runtime has
   * opened, under another name. What is read under this one is the same file in both, even if `path` has been
   * replaced or removed meanwhile. In messages the runtime writes `path` in its place. NULL: the file isn't
   * open. */
  const char* opened;
  /* In compute(): the node's name in module.toml or in what build() made. Otherwise NULL. */
  const char* node;
  /* In compute() of a tile: its first pixel in the picture. Otherwise 0. */
  uint32_t first_x, first_y;
  /* In compute(): calls work(data, 0) to work(data, count - 1) on the runtime's threads, as many as there are
   * cores, and the caller's. Once a call returns another number than 0, it begins no further ones and returns
   * that number. `host` is the pointer above. Otherwise NULL. */
  int (*parallel)(void* host, uint32_t count, int (*work)(void* data, uint32_t index), void* data);
} lacuna_call;

/* One image or array that a source delivers, a sink takes or a host node reads or makes: an output or input
 * of its node, by name. */
typedef struct lacuna_plane {
  uint32_t size;
  const char* name;
  lacuna_type* type; /* probe() fills it in; to read() and write() it is as probed, or as the graph made it */
  void* data;        /* rows from the top without padding; NULL in probe() and build(). write() only reads it,
                        as compute() does its inputs */
  uint64_t bytes;    /* of data */
} lacuna_plane;

typedef struct lacuna_about {
  uint32_t size;
  const char* version; /* of the code, for `lacuna describe`; NULL: none */
} lacuna_about;

/* Where build() puts what it makes. All text and data are copied. */
typedef struct lacuna_builder {
  uint32_t size;
  void* host;
  /* [[node]] tables as in module.toml, to stand in the native node's place. Their sources are its inputs (by
   * name), each other's outputs ("node.output") and uploads ("upload.NAME"); the `connector` of an output is
   * one of the native node's outputs. May be called several times; texts are joined. */
  void (*nodes)(void* host, const char* toml);
  /* A file that `shader` of such a node names, or that its GLSL includes: GLSL, or SPIR-V where the name ends
   * with .spv. Others are looked for in the module's folder. */
  void (*shader)(void* host, const char* name, const void* data, size_t bytes);
  /* A constant array of lacuna_f16, lacuna_f32 or lacuna_u32, uploaded once: count elements of as many
   * numbers as the channels have components (three take four). */
  void (*upload)(void* host, const char* name, const lacuna_type* type, const void* data, size_t bytes);
} lacuna_builder;

/* Where settle() puts what it finds. */
typedef struct lacuna_settings {
  uint32_t size;
  void* host;
  /* A value of a structural parameter, as in a graph file. What is not a value of it is an error. */
  void (*set)(void* host, const char* parameter, const char* value);
} lacuna_settings;

typedef struct lacuna_module {
  uint32_t size;
  uint32_t abi;     /* LACUNA_ABI */
  const char* name; /* as in module.toml */
  /* After loading. May be NULL, as may every entry point that no node of the module needs. An error here: the
   * code can't work on this machine, and says why. */
  int (*describe)(const lacuna_call* call, lacuna_about* about);
  /* What a source will deliver, before anything is allocated, from the first frame's header alone: the type
   * of each plane, whose names are the node's outputs that the graph needs. Other planes of the file are not
   * read. */
  int (*probe)(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count);
  /* Nodes for a native node, from parameters and the types of its inputs (planes without data; those that are
   * not connected are left out). */
  int (*build)(const lacuna_call* call, const lacuna_plane* const* inputs, uint32_t count,
               const lacuna_builder* builder);
  /* Fills the planes with a frame. What does not fit the probed types is an error. */
  int (*read)(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count);
  /* Writes a frame: call->path names it in messages, `part` is the file to write (NULL where path is). The
   * runtime renames part to path on success and removes it otherwise. */
  int (*write)(const lacuna_call* call, const lacuna_plane* const* planes, uint32_t count, const char* part);
  /* For a source or a sink, called first, before its nodes are made: sets structural parameters that depend
   * on files (`format`, if it is "auto"), and reports what is wrong with the file's name, its kind or the
   * parameters beside it. `connected`: names of the connectors that the graph uses. May be NULL. */
  int (*settle)(const lacuna_call* call, const char* const* connected, uint32_t count,
                const lacuna_settings* settings);
  /* For a sink: reports an error if the file `path` of an earlier run is incomplete. A resumed run calls it
   * for each frame before anything else, so it should only look at the file's ends. May be NULL. */
  int (*check)(const lacuna_call* call);
  /* Of a source: what its file says of itself without its pixels, as an object in JSON, by
   * said->set(host, "info", text). May be NULL. */
  int (*info)(const lacuna_call* call, const lacuna_settings* said);
  /* Of a sink: 1 if write() calls lacuna_call's rows(). */
  uint32_t writes_rows;
  /* Of a host node: makes the outputs that the graph needs from its connected inputs, in every frame. Their
   * types are as the node states them; an output's memory holds no values before, unless it is `kept` or
   * `zeroed`. */
  int (*compute)(const lacuna_call* call, const lacuna_plane* const* inputs, uint32_t input_count,
                 const lacuna_plane* const* outputs, uint32_t output_count);
} lacuna_module;

/* The one symbol that module.so exports. `abi` is the runtime's; NULL: can't serve it. The table is never
 * freed. */
const lacuna_module* lacuna_module_entry(uint32_t abi);

#ifdef __cplusplus
}
#endif
#endif
