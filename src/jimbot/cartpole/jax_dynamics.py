"""The cart, the pole and the physics between them, as pure functions of state and action.

Everything here can be compiled, vectorized and scanned. Numbers have the type of the state: float32 as a rule, float64
if the state was made under ``jax.enable_x64``.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

__all__ = ["NUM_ACTIONS", "OBSERVATION_SIZE", "CartPole", "CartPoleParameters", "CartPoleState", "Step"]

NUM_ACTIONS = 2
"""Action 0 pushes the cart to the left, action 1 to the right."""

OBSERVATION_SIZE = 4
"""Position of the cart (m), its velocity (m/s), angle of the pole from upright (rad), its angular velocity (rad/s)."""


@dataclass(frozen=True)
class CartPoleParameters:
    """The physical constants and the limits of an episode; the defaults are CartPole-v1."""

    gravity: float = 9.8
    """Meters per second squared."""
    mass_of_cart: float = 1.0
    """Kilograms."""
    mass_of_pole: float = 0.1
    """Kilograms."""
    half_length: float = 0.5
    """Half of the pole's length, meters."""
    force: float = 10.0
    """Newtons, to the side the action names."""
    time_step: float = 0.02
    """Seconds between states; integrated by explicit Euler."""
    angle_limit: float = 12 * 2 * math.pi / 360
    """Radians; a pole that leans further has fallen."""
    position_limit: float = 2.4
    """Meters; a cart further from the middle has left the track."""
    start_range: float = 0.05
    """Every number of the first state is uniform between minus this and this."""
    max_steps: int = 500
    """Steps after which an episode is truncated."""


class CartPoleState(NamedTuple):
    """``physics`` float[4] as observed, ``steps`` int32, the steps taken in this episode."""

    physics: Array
    steps: Array


class Step(NamedTuple):
    """The result of a step: new state, its observation float[4], reward, and how the episode ended."""

    state: CartPoleState
    observation: Array
    reward: Array
    terminated: Array
    truncated: Array


@dataclass(frozen=True)
class CartPole:
    """CartPole as two pure functions, ``reset`` and ``step``. The object holds only constants, so it is hashable."""

    parameters: CartPoleParameters = field(default_factory=CartPoleParameters)
    observation_size: int = OBSERVATION_SIZE
    num_actions: int = NUM_ACTIONS

    def reset(self, key: Array) -> tuple[CartPoleState, Array]:
        """A random first state and its observation float[4]."""
        limit = self.parameters.start_range
        physics = jax.random.uniform(key, (OBSERVATION_SIZE,), minval=-limit, maxval=limit)
        return CartPoleState(physics, jnp.int32(0)), physics

    def step(self, state: CartPoleState, action: Array) -> Step:
        """One step of 0.02 s. The reward is 1 for every step, the last one included.

        A step that ends the episode both ways is terminated and not truncated: the pole has fallen, so the future is
        worth nothing.
        """
        limits = self.parameters
        physics = self.next_physics(state.physics, action)
        steps = state.steps + 1
        terminated = (jnp.abs(physics[0]) > limits.position_limit) | (
            jnp.abs(physics[2]) > limits.angle_limit
        )
        truncated = (steps >= limits.max_steps) & ~terminated
        return Step(CartPoleState(physics, steps), physics, jnp.ones_like(physics[0]), terminated, truncated)

    def next_physics(self, physics: Array, action: Array) -> Array:
        """The physics float[4] one time step later."""
        constants = self.parameters
        position, velocity, angle, angular_velocity = physics[0], physics[1], physics[2], physics[3]
        total_mass = constants.mass_of_pole + constants.mass_of_cart
        pole_moment = constants.mass_of_pole * constants.half_length
        force = jnp.where(action == 1, constants.force, -constants.force).astype(physics.dtype)
        cosine, sine = jnp.cos(angle), jnp.sin(angle)
        push = (force + pole_moment * jnp.square(angular_velocity) * sine) / total_mass
        inertia = constants.half_length * (
            4.0 / 3.0 - constants.mass_of_pole * jnp.square(cosine) / total_mass
        )
        angular_acceleration = (constants.gravity * sine - cosine * push) / inertia
        acceleration = push - pole_moment * angular_acceleration * cosine / total_mass
        change = jnp.stack([velocity, acceleration, angular_velocity, angular_acceleration])
        return jnp.stack([position, velocity, angle, angular_velocity]) + constants.time_step * change
