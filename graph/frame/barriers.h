#pragma once
// Needs: an arena plan. Guarantees: every read after write, write after read and write after write over the
// same resource, or over memory that two resources share, is ordered by a barrier, and no barrier is
// placed that an earlier one already covers. Barriers stand as late as possible, so several hazards share
// one: their number is the least (each hazard is an interval of passes, each barrier a point in it).
//
// Meaning of a hazard: all earlier accesses of (fromPoint, fromKind) to the resource's bytes, under whatever
// name, finish and are available before all later ones of (toPoint, toKind). A recorder may order more (one
// global memory barrier for all hazards of a place), never less. `from` is the last pass that is waited for,
// even if it used the memory under another resource's name.
//
// Frames follow each other on the queue, with several of them submitted at a time. They share the arena, so
// the recorder orders everything of a frame before everything of the next and makes its writes visible:
// barriers here are within one frame. Before the first frame it zeroes persistent resources and puts
// persistent images into their layout. Staging memory is not a resource: each frame in flight has its own,
// and its host side is the recorder's to order.
//
// Images that are neither persistent nor given by a program are discarded at their first use in every frame.
// Hazards of one image at one place that have `discard` set are one layout transition, from the union of
// their waits; with from = -1 it waits for nothing in this frame.

#include "graph/frame/frame_graph.h"

namespace lacuna {

FrameGraph placeBarriers(FrameGraph schedule);

}  // namespace lacuna
