"""The panel in Output properties, the entries of the Render menu, the preferences."""
import textwrap

import bpy

from . import program, setup
from .job import Job, preferences, program_of


def lines(context, layout, text, icon):
    """Labels don't wrap."""
    letters = max(20, int(context.region.width / context.preferences.system.ui_scale / 7) - 6)
    column = layout.column(align=True)
    wrapped = [part for line in text.splitlines() for part in textwrap.wrap(line, letters)]
    for i, line in enumerate(wrapped):
        column.label(text=line, icon=icon if i == 0 else "BLANK1")


class LACUNA_PT_output(bpy.types.Panel):
    bl_label = "Lacuna"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "output"

    def draw(self, context):
        layout, scene, job = self.layout, context.scene, Job.current
        layout.operator("lacuna.prepare", icon="PREFERENCES")
        for problem in setup.problems(scene):
            lines(context, layout, problem, "ERROR")
        for remark in setup.remarks(scene):
            lines(context, layout, remark, "INFO")
        layout.prop(scene.lacuna, "strength")
        row = layout.row(align=True)
        row.operator("lacuna.render", text="Image", icon="RENDER_STILL").animation = False
        row.operator("lacuna.render", text="Animation", icon="RENDER_ANIMATION").animation = True
        layout.operator("lacuna.denoise", text="Denoise Frames", icon="FILE_IMAGE")
        if job and job.is_running():
            row = layout.row(align=True)
            row.label(text=f"{'Rendering; ' if job.rendering else ''}{job.done()} of {len(job.numbers)} frames are denoised",
                      icon="TIME")
            row.operator("lacuna.cancel", icon="CANCEL")
        elif job and job.message:
            lines(context, layout, job.message, "ERROR" if job.is_error else "CHECKMARK")


def menu(self, context):
    layout = self.layout
    layout.separator()
    layout.operator_context = "INVOKE_DEFAULT"
    layout.operator("lacuna.prepare", text="Prepare Scene for Denoising")
    layout.operator("lacuna.render", text="Render Image and Denoise").animation = False
    layout.operator("lacuna.render", text="Render Animation and Denoise").animation = True
    layout.operator("lacuna.denoise", text="Denoise Frames...")


class LACUNA_OT_find(bpy.types.Operator):
    """Runs the program and lists the devices"""
    bl_idname = "lacuna.find"
    bl_label = "Test"

    def execute(self, context):
        try:
            path = program_of(context)
            listed = program.devices(path)
        except (program.ProgramError, ValueError) as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        names = ", ".join(device["name"] for device in listed)
        preferences(context).found = f"{path}: {names}"
        self.report({"INFO"}, preferences(context).found)
        return {"FINISHED"}


class LacunaPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: bpy.props.StringProperty(name="Program", subtype="FILE_PATH",
                                      description="The program lacuna, or its folder; empty: from PATH and the usual places")
    device: bpy.props.StringProperty(name="Device", description="A part of a device's name, or cpu; empty: the best one")
    found: bpy.props.StringProperty(options={"SKIP_SAVE"})

    def draw(self, context):
        self.layout.prop(self, "program")
        self.layout.prop(self, "device")
        row = self.layout.row()
        row.operator("lacuna.find")
        row.label(text=self.found)


class LacunaSettings(bpy.types.PropertyGroup):
    strength: bpy.props.FloatProperty(name="Strength", default=1.0, min=0.0, max=4.0,
                                      description="0 keeps every value, 1 has the least error, 4 keeps only large shapes")


classes = (LACUNA_PT_output, LACUNA_OT_find, LacunaPreferences, LacunaSettings)
