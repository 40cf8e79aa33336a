"""The study's scenes (Vannson 2023, 2.3.1): cubes, spheres, tori, teapots and heads (there: of a monkey) in random places and
colours on a floor, large rectangular lights at the top."""

from scene_text import Scene, around, camera_settings

SHAPES = ["cube", "sphere", "torus", "teapot", "head"]
AXES = ["1 0 0", "0 1 0", "0 0 1"]


def make(draw, views, comment):
    """(scene, texts of the cameras' settings)"""
    scene = Scene(comment)
    scene.add("background %.3g" % draw.between(0, 0.15))
    floor = scene.material("diffuse albedo %.3f %.3f %.3f" % draw.grey())
    scene.rectangle(floor, (-20, 0, -20), (0, 0, 40), (40, 0, 0))
    for _ in range(draw.whole(8, 16)):
        material = scene.material("diffuse albedo %.3f %.3f %.3f" % draw.colour())
        size = draw.between(0.3, 0.9)
        at = (draw.between(-3.5, 3.5), draw.between(0.8, 2.2) * size, draw.between(-3.5, 3.5))
        scene.place(draw.pick(SHAPES), material, at, size, [(axis, draw.between(0, 360)) for axis in AXES])
    for _ in range(draw.whole(1, 3)):
        brightness = draw.between(3, 10)
        lamp = scene.material("emissive radiance %.3g %.3g %.3g" % tuple(brightness * c for c in draw.grey(0.9, 1.0)))
        width, length = draw.between(2, 5), draw.between(2, 5)
        corner = (draw.between(-4, 4) - width / 2, draw.between(6, 8), draw.between(-4, 4) - length / 2)
        scene.rectangle(lamp, corner, (width, 0, 0), (0, 0, length))  # shines down
    cameras = []
    for _ in range(views):
        eye = around((0, 0, 0), draw.between(5, 9), draw.between(0, 360), draw.between(1.5, 5))
        target = (draw.between(-1, 1), draw.between(0.3, 1), draw.between(-1, 1))
        cameras.append(camera_settings(eye, target, draw.between(35, 55)))
    return scene, cameras
