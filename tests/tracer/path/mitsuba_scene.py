"""Mitsuba's picture of a scene, in a process of its own: `python mitsuba_scene.py SCENE.npz OUT.npz`.

Mitsuba brings its own Embree and thread pool, so nothing of ours is imported here. The materials' reflection is the
specification's formula, written anew for Dr.Jit. SCENE.npz holds:

    positions (V, 3), triangles (F, 3), uvs (V, 2), material (F,)
    materials (M, 7): red, green, blue, metallic, roughness, specular, texture (0, 1)
    emission (M, 3); texture (H, W, 3) uint8, sRGB-encoded; environment (3,)
    point (6,): position, intensity; sun (6,): direction, irradiance
    camera (4, 4) to world; yfov in degrees; size (2,); samples
"""

import sys

import drjit as dr
import mitsuba as mi
import numpy as np

mi.set_variant("llvm_ad_rgb")

LEAST_COSINE = 1.0e-4


class MetallicRoughness(mi.BSDF):
    """glTF 2.0, appendix B.3, with `KHR_materials_specular`'s factor."""

    def __init__(self, properties):
        mi.BSDF.__init__(self, properties)
        self.base = properties["base"]
        self.metallic, self.alpha = properties["metallic"], properties["roughness"] ** 2
        self.specular = properties["specular"]
        flags = mi.BSDFFlags.GlossyReflection | mi.BSDFFlags.DiffuseReflection | mi.BSDFFlags.FrontSide
        self.m_components = [flags]
        self.m_flags = flags

    def _visible_normals(self):
        return mi.MicrofacetDistribution(mi.MicrofacetType.GGX, self.alpha, True)

    def sample(self, ctx, si, sample1, sample2, active):
        """Draw from either lobe, each half of the time."""
        half, _ = self._visible_normals().sample(si.wi, sample2)
        mirrored = mi.reflect(si.wi, half)
        direction = dr.select(sample1 < 0.5, mirrored, mi.warp.square_to_cosine_hemisphere(sample2))
        value, density = self.eval_pdf(ctx, si, direction, active)
        active &= density > 0
        sample = mi.BSDFSample3f()
        sample.wo, sample.pdf, sample.eta = direction, density, 1.0
        sample.sampled_component = mi.UInt32(0)
        sample.sampled_type = mi.UInt32(+mi.BSDFFlags.GlossyReflection)
        return sample, dr.select(active, value / density, 0.0)

    def eval(self, ctx, si, wo, active):
        """Reflection times the light's cosine."""
        cos_view, cos_light = mi.Frame3f.cos_theta(si.wi), mi.Frame3f.cos_theta(wo)
        active &= (cos_view > 0) & (cos_light > 0)
        half = dr.normalize(si.wi + wo)
        cos_half, cos_view_half = mi.Frame3f.cos_theta(half), dr.dot(si.wi, half)
        view = dr.maximum(cos_view, LEAST_COSINE)
        squared = self.alpha**2
        spread = cos_half * cos_half * (squared - 1.0) + 1.0
        distribution = squared / (dr.pi * spread * spread)
        visible = cos_light * dr.sqrt(view * view * (1.0 - squared) + squared)
        visible = 0.5 / (visible + view * dr.sqrt(cos_light * cos_light * (1.0 - squared) + squared))
        base = self.base.eval(si, active)
        dielectric = 0.04 * self.specular
        f0 = dielectric + (base - dielectric) * self.metallic
        f90 = self.specular + (1.0 - self.specular) * self.metallic
        fresnel = f0 + (f90 - f0) * (1.0 - dr.abs(cos_view_half)) ** 5
        diffuse = base * (1.0 - self.metallic) / dr.pi
        value = (1.0 - fresnel) * diffuse + fresnel * distribution * visible
        return dr.select(active, value * cos_light, 0.0)

    def pdf(self, ctx, si, wo, active):
        """Density of `sample`."""
        cos_view, cos_light = mi.Frame3f.cos_theta(si.wi), mi.Frame3f.cos_theta(wo)
        active &= (cos_view > 0) & (cos_light > 0)
        half = dr.normalize(si.wi + wo)
        specular = self._visible_normals().pdf(si.wi, half) / (4.0 * dr.dot(half, wo))
        return dr.select(active, 0.5 * specular + 0.5 * cos_light / dr.pi, 0.0)

    def eval_pdf(self, ctx, si, wo, active):
        """Both at once."""
        return self.eval(ctx, si, wo, active), self.pdf(ctx, si, wo, active)


class Squares(mi.SamplingIntegrator):
    """Another integrator's picture with the squares of its samples; Mitsuba's own `moment` gives those of XYZ."""

    def __init__(self, properties):
        mi.SamplingIntegrator.__init__(self, properties)
        self.nested = properties["nested"]

    def sample(self, scene, sampler, ray, medium=None, active=True):
        """Follow one ray."""
        color, valid, _ = self.nested.sample(scene, sampler, ray, medium, active)
        return color, valid, [color[channel] * color[channel] for channel in range(3)]

    def aov_names(self):
        """Name what comes after red, green and blue."""
        return ["square.R", "square.G", "square.B"]


mi.register_bsdf("metallic_roughness", MetallicRoughness)
mi.register_integrator("squares", Squares)


def material(row, texture):
    """Mitsuba's description of a material."""
    base = {"type": "srgb", "color": mi.ScalarColor3f(row[:3].tolist())}
    if row[6]:
        base = {"type": "bitmap", "bitmap": mi.Bitmap(texture), "filter_type": "bilinear", "wrap_mode": "repeat"}
    if row[3] == 0.0 and row[5] == 0.0:
        return {"type": "twosided", "inner": {"type": "diffuse", "reflectance": base}}
    numbers = dict(zip(("metallic", "roughness", "specular"), row[3:6].tolist(), strict=True))
    return {"type": "twosided", "inner": {"type": "metallic_roughness", "base": base, **numbers}}


def mesh(scene, number):
    """The triangles of one material as a flat mesh."""
    chosen = scene["triangles"][scene["material"] == number]
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict(material(scene["materials"][number], scene["texture"]))
    if scene["emission"][number].any():
        radiance = {"type": "rgb", "value": scene["emission"][number].tolist()}
        properties["mesh_emitter"] = mi.load_dict({"type": "area", "radiance": radiance})
    made = mi.Mesh(f"part{number}", len(scene["positions"]), len(chosen), has_vertex_texcoords=True, props=properties)
    parameters = mi.traverse(made)
    parameters["vertex_positions"] = scene["positions"].astype(np.float32).ravel()
    parameters["vertex_texcoords"] = scene["uvs"].astype(np.float32).ravel()
    parameters["faces"] = chosen.astype(np.uint32).ravel()
    parameters.update()
    return made


def main(source, target):
    """Render and write the mean and its variance, (H, W, 3) each."""
    scene = dict(np.load(source))
    width, height = map(int, scene["size"])
    turned = scene["camera"] @ np.diag([-1.0, 1.0, -1.0, 1.0])  # Mitsuba's cameras look along +Z, +X to the left
    described = {
        "type": "scene",
        "integrator": {"type": "squares", "nested": {"type": "path", "max_depth": -1}},
        "sensor": {
            "type": "perspective",
            "fov": float(scene["yfov"]),
            "fov_axis": "y",
            "near_clip": 1e-3,
            "to_world": mi.ScalarTransform4f(turned.tolist()),
            "film": {
                "type": "hdrfilm",
                "width": width,
                "height": height,
                "pixel_format": "rgb",
                "component_format": "float32",
                "rfilter": {"type": "box"},
            },
        },
    }
    if scene["environment"].any():
        radiance = {"type": "rgb", "value": scene["environment"].tolist()}
        described["environment"] = {"type": "constant", "radiance": radiance}
    if scene["point"].any():
        intensity = {"type": "rgb", "value": scene["point"][3:].tolist()}
        described["point"] = {"type": "point", "position": scene["point"][:3].tolist(), "intensity": intensity}
    if scene["sun"].any():
        irradiance = {"type": "rgb", "value": scene["sun"][3:].tolist()}
        described["sun"] = {"type": "directional", "direction": scene["sun"][:3].tolist(), "irradiance": irradiance}
    for number in range(len(scene["materials"])):
        if (scene["material"] == number).any():
            described[f"mesh{number}"] = mesh(scene, number)
    samples = int(scene["samples"])
    image = np.array(mi.render(mi.load_dict(described), spp=samples, seed=7), np.float64)
    mean, second = image[..., :3], image[..., 3:]
    variance = np.maximum(second - mean * mean, 0.0) / (samples - 1)
    np.savez(target, mean=mean, variance=variance)


if __name__ == "__main__":
    main(*sys.argv[1:])
