"""sb3-contrib's MaskablePPO on Balatro: ``python examples/maskable_ppo.py --timesteps 100000``."""

import argparse

import gymnasium
from sb3_contrib import MaskablePPO

import jimbot  # noqa: F401  registers jimbot/Balatro-v0


class MaskFromObservation(gymnasium.Wrapper):
    """Offers the mask of the last observation as ``action_masks()``, where MaskablePPO looks for it."""

    def reset(self, **arguments):
        """Start an episode."""
        observation, info = self.env.reset(**arguments)
        self.mask = observation["action_mask"].astype(bool)
        return observation, info

    def step(self, action):
        """Take an action."""
        observation, *rest = self.env.step(action)
        self.mask = observation["action_mask"].astype(bool)
        return observation, *rest

    def action_masks(self):
        """The legal actions."""
        return self.mask


parser = argparse.ArgumentParser()
parser.add_argument("--timesteps", type=int, default=20_000)
parser.add_argument("--n-steps", type=int, default=512)
arguments = parser.parse_args()

env = MaskFromObservation(gymnasium.make("jimbot/Balatro-v0"))
model = MaskablePPO(
    "MultiInputPolicy",
    env,
    n_steps=arguments.n_steps,
    batch_size=64,
    n_epochs=4,
    seed=0,
    device="cpu",
    verbose=1,
)
model.learn(arguments.timesteps)
