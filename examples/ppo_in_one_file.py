"""PPO in one file, in the style of CleanRL, on the vector environment: ``python examples/ppo_in_one_file.py``."""

import argparse

import torch
from torch import nn
from torch.distributions import Categorical

from jimbot.balatro.env.flat import flat
from jimbot.balatro.env.vector import BalatroVectorEnv

parser = argparse.ArgumentParser()
parser.add_argument("--updates", type=int, default=50)
parser.add_argument("--num-envs", type=int, default=16)
parser.add_argument("--num-steps", type=int, default=128)
arguments = parser.parse_args()
EPOCHS, MINIBATCH = 4, 256
LEARNING_RATE, GAMMA, LAMBDA, CLIP, ENTROPY = 3e-4, 0.99, 0.95, 0.2, 0.01

torch.manual_seed(0)
envs = flat(BalatroVectorEnv(arguments.num_envs, discount=GAMMA))
mask_columns = envs.layout.slices["action_mask"]
trunk = nn.Sequential(nn.Linear(envs.layout.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
actor, critic = nn.Linear(128, mask_columns.stop - mask_columns.start), nn.Linear(128, 1)
parameters = [*trunk.parameters(), *actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, lr=LEARNING_RATE, eps=1e-5)


def policy_and_value(observation):
    """Masked logits keep illegal actions at probability 0 in samples, in the ratio and in the entropy."""
    hidden = trunk(observation)
    logits = actor(hidden).masked_fill(observation[:, mask_columns] == 0, -1e9)
    return Categorical(logits=logits), critic(hidden).squeeze(1)


observation = torch.tensor(envs.reset(seed=1)[0])
for update in range(arguments.updates):
    rows = []
    for _ in range(arguments.num_steps):
        with torch.no_grad():
            distribution, value = policy_and_value(observation)
            action = distribution.sample()
        following, reward, terminated, truncated, _ = envs.step(action.numpy())
        done = torch.tensor(terminated | truncated, dtype=torch.float32)
        reward = torch.tensor(reward, dtype=torch.float32)
        rows.append((observation, action, distribution.log_prob(action), value, reward, done))
        observation = torch.tensor(following)  # a copy: the next step overwrites the buffer

    observations, actions, old_log_probs, values, rewards, dones = map(torch.stack, zip(*rows, strict=True))
    with torch.no_grad():
        next_value = policy_and_value(observation)[1]
    advantages, last = torch.zeros_like(rewards), torch.zeros(arguments.num_envs)
    for step in reversed(range(arguments.num_steps)):
        alive = 1 - dones[step]
        delta = rewards[step] + GAMMA * next_value * alive - values[step]
        last = delta + GAMMA * LAMBDA * alive * last
        advantages[step], next_value = last, values[step]

    batch = [
        each.flatten(0, 1) for each in (observations, actions, old_log_probs, advantages, advantages + values)
    ]
    for _ in range(EPOCHS):
        for chosen_rows in torch.randperm(len(batch[0])).split(MINIBATCH):
            states, chosen, old, advantage, target = (each[chosen_rows] for each in batch)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            distribution, value = policy_and_value(states)
            ratio = (distribution.log_prob(chosen) - old).exp()
            policy_loss = -torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            value_loss = (value - target).pow(2).mean()
            loss = policy_loss + 0.5 * value_loss - ENTROPY * distribution.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()
    print(f"update {update}: loss {loss.item():.3f}, reward per step {rewards.mean().item():.3f}")
