"""What the panel and the menu call."""
import bpy
from bpy.app.handlers import render_cancel, render_complete

from . import setup
from .job import Job, files_job, program_of, scene_job
from .program import ProgramError


class Watching:
    """Asks for news a few times a second, and reports the end. Nothing waits: Blender's interface stays free."""

    _timer = None

    def watch(self, context):
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.25, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.type == "PROPERTIES":
                    area.tag_redraw()
        self.job.watch()
        if self.job.is_running():
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self._timer)
        return self.finish()

    def cancel(self, context):
        """Blender ends, or opens another file."""
        self.job.cancel()
        self.job.wait()

    def finish(self):
        self.job.end()
        self.report({"ERROR" if self.job.is_error and not self.job.stopped else "INFO"}, self.job.message)
        return {"CANCELLED" if self.job.is_error else "FINISHED"}

    def refuse(self, text):
        self.report({"ERROR"}, text)
        return {"CANCELLED"}

    @classmethod
    def poll(cls, context):
        if Job.current and Job.current.is_running():
            cls.poll_message_set("Lacuna is at work: Cancel in Output properties stops it")
            return False
        return True


class Rendering:
    """Whether Blender still renders, by its handlers, which may run on another thread."""

    def __init__(self, job, scene, still):
        self._job, self._render, self._path = job, scene.render, scene.render.filepath
        if still:  # Blender writes a still without its number
            scene.render.filepath = job.rendered[0]
        job.rendering = True
        render_complete.append(self._complete)
        render_cancel.append(self._cancel)

    def _complete(self, *_):
        for handlers, own in ((render_complete, self._complete), (render_cancel, self._cancel)):
            if own in handlers:
                handlers.remove(own)
        self._render.filepath = self._path
        self._job.rendering = False

    def _cancel(self, *_):
        self._job.cancel()
        self._complete()

    stop = _cancel


class LACUNA_OT_render(Watching, bpy.types.Operator):
    """Renders to files, and denoises them beside rendering"""
    bl_idname = "lacuna.render"
    bl_label = "Render and Denoise"

    animation: bpy.props.BoolProperty(name="Animation", default=True, description="The frame range; else the current frame")

    def begin(self, context):
        found = setup.problems(context.scene)
        if found:
            raise ProgramError("\n".join(found))
        path = program_of(context)
        self.job, replaced = scene_job(context, context.scene, not self.animation)
        self.job.start(path, replaced)

    def words(self):
        return {"animation": True} if self.animation else {"write_still": True}

    def invoke(self, context, event):
        try:
            self.begin(context)
        except (ProgramError, OSError) as problem:
            return self.refuse(str(problem))
        rendering = Rendering(self.job, context.scene, not self.animation)
        result = self.watch(context)
        if "CANCELLED" in bpy.ops.render.render("INVOKE_DEFAULT", **self.words()):
            rendering.stop()
        return result

    def execute(self, context):
        """From scripts and without a window: returns when all is done."""
        try:
            self.begin(context)
        except (ProgramError, OSError) as problem:
            return self.refuse(str(problem))
        rendering = Rendering(self.job, context.scene, not self.animation)
        try:
            bpy.ops.render.render(**self.words())
        except RuntimeError as problem:
            self.report({"ERROR"}, str(problem))
            rendering.stop()
        self.job.watch()
        self.job.wait()
        return self.finish()


class LACUNA_OT_denoise(Watching, bpy.types.Operator):
    """Denoises the frames of an earlier render: all whose names differ from the chosen one in the last number"""
    bl_idname = "lacuna.denoise"
    bl_label = "Denoise Frames (Lacuna)"

    filepath: bpy.props.StringProperty(subtype="FILE_PATH", description="One of the frames; empty: the scene's")
    filter_glob: bpy.props.StringProperty(default="*.exr", options={"HIDDEN"})

    def begin(self, context):
        path = program_of(context)
        self.job = files_job(context, context.scene, path, bpy.path.abspath(self.filepath))
        self.job.start(path)

    def invoke(self, context, event):
        self.filepath = context.scene.render.frame_path(frame=context.scene.frame_start)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            self.begin(context)
        except (ProgramError, OSError) as problem:
            return self.refuse(str(problem))
        if not bpy.app.background:
            return self.watch(context)
        self.job.wait()
        return self.finish()


class LACUNA_OT_prepare(bpy.types.Operator):
    """Turns on Denoising Data, Vector and the file format OpenEXR MultiLayer, and Cycles' own denoiser off"""
    bl_idname = "lacuna.prepare"
    bl_label = "Prepare Scene"
    bl_options = {"UNDO"}

    def execute(self, context):
        setup.prepare(context.scene)
        left = setup.problems(context.scene)
        self.report({"WARNING" if left else "INFO"}, "\n".join(left) or "Passes and file format are set")
        return {"FINISHED"}


class LACUNA_OT_cancel(bpy.types.Operator):
    """Stops denoising. Files that are being written are finished. Esc in the render window stops rendering"""
    bl_idname = "lacuna.cancel"
    bl_label = "Cancel"

    def execute(self, context):
        if Job.current:
            Job.current.cancel()
        return {"FINISHED"}


classes = (LACUNA_OT_render, LACUNA_OT_denoise, LACUNA_OT_prepare, LACUNA_OT_cancel)
