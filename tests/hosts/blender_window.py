# Runs in Blender's window after the beginning of blender_test.py: renders, takes screenshots, and checks that Blender
# still responds.
import time

scene = blender_scene.make(FOLDER + "/window", samples=4)  # noqa: F821
from lacuna_denoise.job import Job

bpy.context.preferences.view.show_splash = False
bpy.context.preferences.view.render_display_type = "NONE"
answers = []  # seconds, while frames are rendered and denoised
begun = time.monotonic()
end = None


def window():
    return bpy.context.window_manager.windows[0]


def picture(name):
    with bpy.context.temp_override(window=window()):
        bpy.ops.screen.screenshot(filepath=f"{FOLDER}/{name}.png")  # noqa: F821


def largest():
    return max(window().screen.areas, key=lambda area: area.width * area.height)


def begin():
    largest().type = "PROPERTIES"
    bpy.app.timers.register(guarded(render), first_interval=1)  # when it is drawn


def render():
    area = largest()
    area.spaces[0].context = "OUTPUT"
    with bpy.context.temp_override(window=window(), screen=window().screen, area=area, region=area.regions[-1]):
        assert bpy.ops.lacuna.render("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    bpy.app.timers.register(guarded(look))


def look():
    global end
    job = Job.current
    if job.is_running():
        answers.append(time.monotonic())
        if job.done() >= 3 and not os.path.exists(f"{FOLDER}/middle.png"):  # noqa: F821
            picture("middle")
    elif job.message and end is None:
        end = time.monotonic() + 2  # until it is drawn
    elif end is not None and time.monotonic() > end:
        picture("end")
        print(job.message, len(answers), "answers")
        sys.stdout.flush()
        os._exit(0 if len(answers) > 10 and not job.is_error else 1)
    if time.monotonic() - begun > 600:
        print("600 s, but not the end")
        sys.stdout.flush()
        os._exit(1)
    return .05


def guarded(work):
    """An error in a timer would leave Blender open."""
    def run():
        try:
            return work()
        except BaseException as problem:
            print("failed:", repr(problem))
            sys.stdout.flush()
            os._exit(1)
    return run


bpy.app.timers.register(guarded(begin), first_interval=1)
