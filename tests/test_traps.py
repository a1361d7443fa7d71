"""Faults that loaders and renderers have shipped, each with the tests that hold its right value: all are there."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

TRAPS: dict[str, tuple[str, ...]] = {
    "the last key, or what lies past it, is extrapolated or lost": (
        "anim/test_sampling.py::test_the_ends_hold_and_keys_come_back_bit_for_bit",
    ),
    "a mesh library merges and reorders vertices": (
        "posed/test_baking.py::test_vertices_that_no_triangle_uses_keep_their_place",
    ),
    "the skinned node's transform, its parents' or a channel on it is applied": (
        "posed/test_baking.py::test_the_transform_of_the_skinned_node_and_a_channel_on_it_change_nothing",
        "posed/test_baking.py::test_two_nodes_with_one_skin_coincide",
    ),
    "node 0, view 0 or a key of weight 0 counts as none": (
        "posed/gltf/test_clip.py::test_node_zero_is_a_target_and_a_key_of_zero_a_key",
        "posed/gltf/test_accessor.py::test_buffer_view_zero_is_a_view_and_none_is_zeros",
        "posed/gltf/test_document.py::test_zero_and_false_are_values",
    ),
    "what the last clip moved stays": (
        "posed/test_baking.py::test_the_last_clip_leaves_nothing_behind",
        "posed/gltf/test_clip.py::test_a_clip_knows_nothing_of_the_file_s_other_clips",
    ),
    "slerp goes the long way, or divides by nothing": (
        "anim/test_sampling.py::test_rotations_slerp_the_shorter_way",
        "anim/test_quaternion.py::test_slerp_takes_the_short_way_to_a_negated_quaternion",
        "anim/test_quaternion.py::test_slerp_over_half_a_circle_is_defined",
    ),
    "a spline's tangents lack the interval, or its weights lie otherwise": (
        "anim/test_sampling.py::test_a_cubic_spline_scales_its_tangents_by_the_interval",
        "posed/gltf/test_clip.py::test_weights_of_a_spline_are_tangents_values_tangents_key_by_key",
    ),
    "inverse bind matrices are left out": (
        "posed/gltf/test_skin.py::test_no_inverse_bind_matrices_mean_the_identity",
        "posed/test_baking.py::test_no_inverse_bind_matrices",
    ),
    "a plain node stands between joints": ("posed/test_baking.py::test_a_plain_node_between_joints",),
    "joints are listed children first": (
        "posed/test_baking.py::test_the_order_of_the_joints_changes_no_vertex",
        "posed/gltf/test_loader.py::test_children_listed_before_their_parents_become_bones_after_them",
    ),
    "one mesh under several skins is posed once": (
        "posed/test_baking.py::test_one_mesh_under_several_skins_and_without_one",
    ),
    "skins whose joints share names or nodes are merged": (
        "posed/test_baking.py::test_a_joint_may_be_bound_otherwise_by_another_skin",
    ),
    "weights do not sum to 1, are nothing, bytes, or in several sets": (
        "posed/gltf/test_mesh.py::test_a_sum_short_of_one_is_made_one",
        "posed/gltf/test_mesh.py::test_weights_of_nothing_follow_joint_zero",
        "posed/gltf/test_mesh.py::test_bytes_and_shorts_are_weights_too",
        "posed/gltf/test_mesh.py::test_weights_are_normalized_over_all_sets",
    ),
    "a joint that a vertex lists twice counts once": (
        "posed/gltf/test_mesh.py::test_a_joint_twice_on_a_vertex_keeps_both_weights",
        "posed/test_skinning.py::test_a_joint_listed_twice_adds_up",
    ),
    "normals go through the plain matrix, keep its length, or end in NaN": (
        "posed/test_skinning.py::test_normals_agree_with_the_faces_of_the_posed_mesh",
        "posed/test_skinning.py::test_a_scaled_armature_leaves_unit_normals",
        "posed/test_skinning.py::test_a_flattened_joint_leaves_finite_unit_normals",
    ),
    "without normals, those of the bind pose are shaded": (
        "posed/test_stage.py::test_a_bent_mesh_without_normals_is_shaded_by_its_posed_faces",
    ),
    "mirrored nodes show their inside": (
        "posed/test_baking.py::test_a_mirrored_node_swaps_the_second_and_third_corner",
        "posed/test_stage.py::test_a_mirrored_object_has_its_front_on_the_other_side",
        "posed/test_skinning.py::test_a_mirror_turns_the_triangle_and_the_handedness_over",
    ),
    "float32 key times lie just above a whole tick": (
        "anim/test_animator.py::test_float32_durations_of_whole_ticks_loop_on_the_tick",
        "anim/test_animator.py::test_a_key_within_a_float32_step_of_a_tick_is_sampled_at_its_own_time",
    ),
    "a node of scale 0 is inverted": (
        "anim/test_skeleton.py::test_a_skinned_node_of_scale_zero_matters_only_in_mesh_space",
    ),
    "a joint that carries a mesh loses its morph weights": (
        "posed/test_baking.py::test_a_joint_that_carries_a_mesh_with_morph_weights_plays_them",
    ),
    "tens of thousands of nodes take seconds, or a deep chain the stack": (
        "posed/gltf/test_loader.py::test_a_hundred_thousand_empty_nodes_load",
        "posed/gltf/test_node.py::test_a_chain_of_twenty_thousand_nodes_is_no_recursion",
    ),
    "an accessor has no view, overrides, a stride, or rows padded to four bytes": (
        "posed/gltf/test_accessor.py::test_buffer_view_zero_is_a_view_and_none_is_zeros",
        "posed/gltf/test_accessor.py::test_sparse_overrides_with_and_without_a_base",
        "posed/gltf/test_accessor.py::test_stride_and_offset_are_honoured",
        "posed/gltf/test_accessor.py::test_three_bytes_padded_to_four",
        "posed/gltf/test_accessor.py::test_columns_of_byte_matrices_begin_on_four_bytes",
    ),
    "a clip begins late, has one key, or two at one time": (
        "anim/test_clip.py::test_a_clip_lasts_from_zero_to_its_last_key",
        "anim/test_sampling.py::test_one_key_is_a_constant",
        "anim/test_clip.py::test_of_keys_at_one_time_the_last_is_kept",
    ),
    "morph weights come from the wrong place, or after the skin": (
        "posed/gltf/test_mesh.py::test_morph_weights_are_the_node_s_then_the_mesh_s_then_zero",
        "posed/test_baking.py::test_a_bent_column_with_a_delta_is_morphed_before_it_is_skinned",
    ),
    "a name with percent signs is not found, or leads out of the folder": (
        "posed/gltf/test_buffer.py::test_a_buffer_beside_the_model",
        "posed/gltf/test_buffer.py::test_what_leads_out_of_the_folder_is_refused",
        "posed/gltf/test_buffer.py::test_an_absolute_path_is_refused_even_within_reach",
        "posed/gltf/test_buffer.py::test_urls_are_refused",
        "posed/gltf/test_material.py::test_an_image_beside_the_model_stays_within_its_folder",
    ),
    "unknown or empty chunks, or bytes past the declared length, break a .glb": (
        "posed/gltf/test_container.py::test_unknown_chunks_and_bytes_past_the_declared_length_are_ignored",
        "posed/gltf/test_container.py::test_an_unknown_chunk_may_stand_before_the_binary_one",
        "posed/gltf/test_container.py::test_an_empty_binary_chunk_holds_no_bytes",
    ),
    "the neighbours of an atlas' frame bleed into it": (
        "posed/scene/test_sprites.py::test_the_stage_shows_the_frame_of_the_atlas_and_never_leaves_it",
        "tracer/test_texture.py::test_sampling_never_leaves_the_frame_of_an_atlas",
        "posed/live/flat/test_rasterizer.py::test_nothing_of_a_neighbouring_frame_is_seen",
        "posed/live/flat/test_drawing.py::test_the_device_draws_what_the_cpu_does",
    ),
    "the bind pose's bounds frame or cut the picture": (
        "posed/scene/test_lone.py::test_a_lone_model_is_framed_over_all_its_clips",
        "posed/scene/test_lone.py::test_a_joint_scaled_by_fifty_is_in_the_picture",
        "posed/live/test_boxes.py::test_a_joint_that_scales_widens_the_box",
        "posed/live/test_engine.py::test_what_a_pose_moves_far_away_or_blows_up_is_not_cut_by_the_bind_pose_s_bounds",
    ),
    "rows that are read back are taken to be padded, or not": (
        "posed/live/test_renderer.py::test_a_half_screen_quad_covers_exactly_the_left_half_whatever_the_padding_of_rows",
    ),
    "color is encoded twice": (
        "posed/live/test_renderer.py::test_a_picture_is_encoded_once_on_its_way_to_a_file",
        "tracer/test_direct.py::test_texel_128_unlit_is_128_in_the_file_and_half_is_188",
    ),
    "rays are half a pixel off": (
        "tracer/test_trace.py::test_half_screen_quad_covers_exactly_half_the_pixels",
        "tracer/test_trace.py::test_pixel_centers_lie_half_a_pixel_in",
    ),
    "the distance along a ray is taken for depth": (
        "tracer/test_trace.py::test_plane_at_5_metres_has_depth_5_at_every_pixel",
    ),
    "rays slip through edges and vertices": (
        "tracer/test_exact.py::test_none_of_a_million_rays_from_inside_a_closed_sphere_escapes",
        "tracer/test_exact.py::test_rays_at_every_vertex_and_edge_middle_hit",
    ),
    "masks or shadows depend on the scale, or on how far away the scene is": (
        "tracer/test_trace.py::test_masks_and_shadows_do_not_depend_on_scale",
        "tracer/test_trace.py::test_a_lit_ground_of_any_size_never_shades_itself",
        "tracer/test_trace.py::test_what_embree_s_float32_cannot_hold_is_traced_by_the_tree",
        "sweep/test_sweep.py::test_masks_and_shadows_of_a_sample_hold_at_every_scale",
        "posed/test_stage.py::test_far_from_the_origin_the_stage_is_near_the_camera",
        "posed/test_stage.py::test_something_far_away_does_not_move_the_origin_from_the_camera",
    ),
    "a processor decides hit or miss at an open boundary, or which of two sheets in one place is seen": (
        "tracer/test_backends.py::test_the_same_bits_from_every_instruction_set_and_from_bvh",
        "tracer/test_trace.py::test_coincident_sheets_show_the_smallest_ids",
        "sweep/test_sweep.py::test_a_sample_of_the_sweep",
    ),
    "rays ignore alpha masks": ("tracer/test_direct.py::test_mask_leaves_holes_in_every_layer_and_in_the_shadow",),
    "a compiled kernel outlives its helper's source": (
        "anim/test_kernel.py::test_an_edited_helper_in_another_module_gives_the_new_value",
    ),
    "two threads in parallel kernels abort the process": (
        "anim/test_kernel.py::test_threads_take_turns_in_parallel_kernels",
        "anim/test_kernel.py::test_the_lock_may_be_taken_again_by_its_holder",
    ),
    "each render opens a device of its own": (
        "posed/live/test_resources.py::test_two_hundred_renders_leave_nothing_behind",
        "posed/live/test_device.py::test_the_device_is_one_and_grants_the_default_limits_only",
    ),
    "a stage binds more than the adapter has": (
        "posed/live/test_passes.py::test_no_fragment_or_computation_binds_more_storage_buffers_than_every_adapter_has",
        "posed/live/test_device.py::test_an_adapter_below_the_default_limits_is_refused",
    ),
    "a machine without an adapter gives no reason": (
        "posed/live/test_device.py::test_no_adapter_names_the_package_that_brings_one",
        "posed/live/test_device.py::test_tests_without_an_adapter_say_why_and_fail_where_one_has_to_be",
    ),
}
"""A fault to the tests that would find it."""


@cache
def names(path: Path) -> set[str]:
    """Return the names of a file's tests."""
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_its_tests(trap: str) -> None:
    for test in TRAPS[trap]:
        file, _, name = test.partition("::")
        assert name in names(ROOT / file), test
