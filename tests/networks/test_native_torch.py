"""The network in the engine against the same network in torch: outputs, gradients, steps, and what is refused."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from jimbot import _engine  # noqa: E402
from jimbot.networks import (  # noqa: E402
    COMPACT_SIZES,
    MaskedCategorical,
    apply_mask,
    create_network,
    make_network_spec,
)
from jimbot.networks.native_plan import build_network_plan  # noqa: E402
from jimbot.networks.torch.native import (  # noqa: E402
    NativeAdam,
    NativeNet,
    can_run_native,
    evaluate_actions,
)
from jimbot.training.envs.packing import PackedFields, Packing  # noqa: E402

from .samples import SMALL, balatro_batch, candidate_batch, flat_batch  # noqa: E402

pytestmark = pytest.mark.skipif(
    not _engine.has_fast_kernels(), reason="the engine leaves networks to torch on this processor"
)

BATCHES = {
    "slots": balatro_batch,
    "candidates": candidate_batch,
    "own identities": lambda: candidate_batch(60),
    "identities beyond shelves": lambda: candidate_batch(400),
}
DEEP = SMALL | {"card_encoder": (24, 12, 8), "joker_encoder": (8, 20, 4), "shared_layers": (24, 40)}
SIZES = {"small": SMALL, "compact": COMPACT_SIZES, "deep": DEEP}


class Pair:
    """One network twice, with the same parameters: as torch has it, and in the engine."""

    def __init__(self, batch: Any = balatro_batch, threads: int = 1, sizes: dict[str, Any] = SMALL) -> None:
        space, actions, obs = batch()
        self.packing = Packing(space)
        spec = make_network_spec(space, actions, **sizes)
        assert can_run_native(spec, self.packing.blocks)
        torch.manual_seed(0)
        self.plain, self.network = create_network(spec), create_network(spec)
        self.network.load_state_dict(self.plain.state_dict())
        self.native = NativeNet(self.network, self.packing.blocks, threads)
        self.obs = obs

    def blocks(self, rows: Any = None) -> dict[str, Any]:
        taken = slice(None) if rows is None else rows
        obs = {name: values[taken] for name, values in self.obs.items()}
        blocks = self.packing.empty(len(obs["hand"]))
        self.packing.pack(obs, blocks)
        return {name: torch.as_tensor(block) for name, block in blocks.items()}

    def run(self, blocks: dict[str, Any]) -> tuple[Any, Any]:
        scores, values = self.native(blocks, PackedFields(self.packing, blocks))
        return apply_mask(scores, blocks["action_mask"]), values

    def run_plain(self, blocks: dict[str, Any]) -> tuple[Any, Any]:
        return self.plain(self.packing.unpack(blocks))

    def gradients(self) -> dict[str, Any]:
        """By name, of the native network."""
        own: dict[str, Any] = dict(self.network.named_parameters())
        places, flat = self.native.places, cast("Any", self.native.flat.grad)
        return {
            name: flat[places[name]].view(each.shape) if name in places else own[name].grad
            for name, each in self.plain.named_parameters()
        }


def loss_of(outputs: tuple[Any, Any], blocks: dict[str, Any]) -> Any:
    """A loss in which every legal logit and every value has a weight of its own."""
    logits, values = outputs
    generator = torch.Generator().manual_seed(1)
    weights = torch.randn(logits.shape, generator=generator) * (blocks["action_mask"] != 0)
    return (logits * weights).sum() + (values * torch.randn(values.shape, generator=generator)).sum()


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("batch", BATCHES.values(), ids=BATCHES)
@pytest.mark.parametrize("threads", [1, 3])
def test_outputs_and_gradients_are_those_of_torch(batch, threads, sizes):
    pair = Pair(batch, threads, sizes)
    blocks = pair.blocks()
    theirs, ours = pair.run_plain(blocks), pair.run(blocks)
    for left, right in zip(theirs, ours, strict=True):
        assert torch.allclose(left, right, rtol=1e-4, atol=1e-5)
    loss_of(theirs, blocks).backward()
    loss_of(ours, blocks).backward()
    found = pair.gradients()
    expected: dict[str, Any] = {name: each.grad for name, each in pair.plain.named_parameters()}
    for name, gradient in expected.items():
        size = float(gradient.abs().max())
        assert torch.allclose(gradient, found[name], rtol=1e-3, atol=1e-5 * max(size, 1.0)), name
    assert any(gradient.any() for gradient in expected.values())


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33, 64, 70])
def test_every_size_of_batch(count):
    pair = Pair(threads=2)
    rows = np.arange(count) % len(pair.obs["hand"])
    blocks = pair.blocks(rows)
    with torch.no_grad():
        for left, right in zip(pair.run_plain(blocks), pair.run(blocks), strict=True):
            assert torch.allclose(left, right, rtol=1e-4, atol=1e-5)


def test_batches_of_different_sizes_one_after_the_other_do_not_mix():
    pair = Pair()
    large, small = pair.blocks(np.arange(40) % 16), pair.blocks(np.arange(3))
    before = pair.run(small)
    loss_of(pair.run(large), large).backward()
    after = pair.run(small)
    for left, right in zip(before, after, strict=True):
        assert torch.equal(left, right)


def test_results_do_not_depend_on_the_number_of_threads():
    found = []
    for threads in (1, 2, 5):
        pair = Pair(threads=threads, sizes=COMPACT_SIZES)
        blocks = pair.blocks(np.arange(70) % 16)
        outputs = pair.run(blocks)
        loss_of(outputs, blocks).backward()
        found.append((*outputs, pair.native.flat.grad))
    for other in found[1:]:
        assert all(torch.equal(left, right) for left, right in zip(found[0], other, strict=True))


def test_absent_rows_do_not_matter():
    pair = Pair()
    blocks = pair.blocks()
    empty = {name: block.clone() for name, block in blocks.items()}
    fields = PackedFields(pair.packing, empty)
    for name in (
        "joker_ids",
        "consumable_ids",
        "shop_ids",
        "shop_voucher_ids",
        "shop_pack_ids",
        "pack_ids",
        "hand_ids",
    ):
        fields[name].zero_()
    other = {name: block.clone() for name, block in empty.items()}
    rows = PackedFields(pair.packing, other)
    for name in ("jokers", "consumables", "shop", "shop_vouchers", "shop_packs", "pack", "hand"):
        rows[name].fill_(3.0)
    with torch.no_grad():
        for left, right, plain in zip(pair.run(empty), pair.run(other), pair.run_plain(empty), strict=True):
            assert torch.equal(left, right)
            assert torch.allclose(left, plain, rtol=1e-4, atol=1e-5)
        assert not torch.equal(pair.run(blocks)[1], pair.run(empty)[1])


def test_gradients_add_up_until_they_are_cleared():
    pair = Pair()
    blocks = pair.blocks()
    loss_of(pair.run(blocks), blocks).backward()
    once = cast("Any", pair.native.flat.grad).clone()
    loss_of(pair.run(blocks), blocks).backward()
    assert torch.equal(pair.native.flat.grad, 2 * once)


def test_the_network_and_the_block_are_the_same_numbers():
    pair = Pair()
    blocks = pair.blocks()
    with torch.no_grad():
        pair.native.flat.mul_(0.5)
        seen = pair.packing.unpack(blocks)
        for left, right in zip(pair.network(seen), pair.run(blocks), strict=True):
            assert torch.allclose(left, right, rtol=1e-4, atol=1e-5)
        pair.network.load_state_dict(pair.plain.state_dict())
        for left, right in zip(pair.run_plain(blocks), pair.run(blocks), strict=True):
            assert torch.allclose(left, right, rtol=1e-4, atol=1e-5)


def test_backward_is_refused_once_the_parameters_have_changed():
    pair = Pair()
    blocks = pair.blocks()
    loss = loss_of(pair.run(blocks), blocks)
    with torch.no_grad():
        pair.native.flat.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_an_identity_beyond_its_table_is_refused_before_anything_is_learned():
    pair = Pair()
    blocks = pair.blocks()
    PackedFields(pair.packing, blocks)["joker_ids"][2, 0] = 10_000
    with pytest.raises(IndexError, match="identity 10000 at place"):
        pair.run(blocks)
    blocks = pair.blocks()
    PackedFields(pair.packing, blocks)["identities"][1, 0] = -1
    with pytest.raises(IndexError, match="identity -1"):
        pair.run(blocks)
    pair.run(pair.blocks())  # the network still works


def test_arrays_of_other_shapes_are_refused():
    pair = Pair()
    blocks = pair.blocks()
    with pytest.raises(ValueError, match="observations have another shape"):
        pair.native.forward(blocks["floats"][:, 1:].contiguous(), blocks["integers"])
    _, values, cache = pair.native.forward(blocks["floats"], blocks["integers"])
    assert cache.batch == len(values)
    with pytest.raises(ValueError, match="gradients of logits or values have another shape"):
        pair.native.backward(cache, torch.zeros(1, 3), values, None)
    other = Pair().native
    with pytest.raises(ValueError, match="another network"):
        other.backward(cache, torch.zeros(len(values), 645), values, None)


PLANS = {
    "layers do not follow": (lambda plan: plan["policy"].reverse(), "follow each other"),
    "a layer outside": (lambda plan: plan.update(value_head=(10**8, 10**8, 8, 1)), "outside the parameters"),
    "a tower without a bias": (lambda plan: plan.update(value_head=(0, -1, 8, 1)), "no bias"),
    "no trunk": (lambda plan: plan.update(trunk=[]), "needs a trunk"),
    "a copy outside": (lambda plan: plan["encoders"]["copies"].append((0, 0, 10**6)), "copied floats"),
    "an identity outside": (
        lambda plan: plan["encoders"]["embeddings"]["identities"].__setitem__(0, 999),
        "embeddings lie",
    ),
    "a layer outside by more than an int": (
        lambda plan: plan.update(value_head=(2**31 - 1, 2**31 - 1, 8, 1)),
        "outside the parameters",
    ),
    "a copy of fewer than none": (
        lambda plan: plan["encoders"]["copies"].append((9, 9, -5)),
        "copied floats",
    ),
    "a table outside": (
        lambda plan: plan["encoders"]["encoders"][0].update(table=10**8),
        "an encoder lies outside",
    ),
}


@pytest.mark.parametrize(("change", "message"), PLANS.values(), ids=PLANS)
def test_a_plan_that_names_what_is_not_there_is_refused(change, message):
    pair = Pair(sizes=SMALL | {"policy_net_arch": (16, 12)})
    places = pair.native.places
    end = max(place.stop for place in places.values())
    plan = build_network_plan(pair.network.spec, pair.packing.blocks, places, end)
    assert _engine.Network(plan, 1)
    change(plan)
    with pytest.raises(ValueError, match=message):
        _engine.Network(plan, 1)


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch], ids=["slots", "candidates"])
def test_adam_moves_as_torch_does(batch):
    pair = Pair(batch, threads=2)
    blocks = pair.blocks()
    ours = NativeAdam(pair.native, lr=1e-2, eps=1e-5)
    theirs = torch.optim.Adam(pair.plain.parameters(), lr=1e-2, eps=1e-5)
    for _ in range(6):
        for optimizer, run in ((ours, pair.run), (theirs, pair.run_plain)):
            optimizer.zero_grad()
            loss_of(run(blocks), blocks).backward()
            optimizer.step()
    moved = dict(pair.network.named_parameters())
    for name, parameter in pair.plain.named_parameters():
        assert torch.allclose(parameter, moved[name], rtol=1e-3, atol=2e-4), name
    assert not pair.native.flat[-_engine.parameter_padding :].any()


def test_what_adam_remembers_is_saved_by_parameter():
    from jimbot.training.backends.torch.state import optimizer_state, restore_optimizer_state

    pair = Pair(candidate_batch)
    blocks = pair.blocks()
    optimizer = NativeAdam(pair.native, lr=1e-3)
    assert pair.native.split(optimizer_state(optimizer)["moments"]) == {}
    loss_of(pair.run(blocks), blocks).backward()
    optimizer.step()
    state = optimizer_state(optimizer)
    split = pair.native.split(state["moments"])
    shapes = [tuple(each.shape) for each in pair.plain.parameters()]
    assert [split[str(number)]["exp_avg"].shape for number in range(len(shapes))] == shapes

    plain = torch.optim.Adam(pair.plain.parameters(), lr=1e-3)
    restore_optimizer_state(plain, state | {"moments": split})  # fits the optimizer of a network in torch

    joined = pair.native.join(split)
    assert joined.keys() == state["moments"].keys()
    for number, own in joined.items():
        for name, value in own.items():
            assert np.array_equal(value, state["moments"][number][name])


def test_adam_that_the_engine_does_not_have_is_refused():
    with pytest.raises(ValueError, match="weight_decay"):
        NativeAdam(Pair().native, lr=1e-3, weight_decay=0.1)


def test_what_the_engine_does_not_compute_is_left_to_torch():
    space, actions, _ = balatro_batch()
    blocks = Packing(space).blocks
    assert can_run_native(make_network_spec(space, actions, **SMALL), blocks)
    others: list[dict[str, Any]] = [{"activation": "tanh"}, {"shared_trunk": False}, {"policy_net_arch": ()}]
    for other in others:
        assert not can_run_native(make_network_spec(space, actions, **(SMALL | other)), blocks)
    assert not can_run_native(make_network_spec(space, actions, **SMALL), None)
    flat_space, flat_actions, _ = flat_batch()
    assert not can_run_native(make_network_spec(flat_space, flat_actions), Packing(flat_space).blocks)


@pytest.mark.parametrize("count", [1, 2, 15, 16, 33, 645])
def test_choices_are_those_of_the_masked_distribution(count):
    generator = torch.Generator().manual_seed(count)
    scores = torch.randn(50, count, generator=generator) * 6
    mask = (torch.rand(50, count, generator=generator) < 0.4).to(torch.uint8)
    actions = torch.randint(0, count, (50,), generator=generator)
    mask[torch.arange(50), actions] = 1
    mask[0] = 0
    mask[0, actions[0]] = 1  # one legal action
    left, right = scores.clone().requires_grad_(), scores.clone().requires_grad_()
    choice = MaskedCategorical(left, mask)
    log_probs, entropies = evaluate_actions(right, mask, actions)
    assert torch.allclose(choice.log_prob(actions), log_probs, rtol=1e-5, atol=5e-6)
    assert torch.allclose(choice.entropy(), entropies, rtol=1e-5, atol=5e-6)
    assert float(entropies[0].detach()) == 0.0
    weights = torch.randn(2, 50, generator=generator)
    (choice.log_prob(actions) * weights[0] + choice.entropy() * weights[1]).sum().backward()
    (log_probs * weights[0] + entropies * weights[1]).sum().backward()
    assert torch.allclose(left.grad, right.grad, rtol=1e-4, atol=5e-6)
    assert not right.grad[mask == 0].any()


def test_choices_where_nothing_or_something_else_was_legal():
    scores = torch.zeros(2, 4, requires_grad=True)
    mask = torch.tensor([[0, 0, 0, 0], [1, 1, 0, 0]], dtype=torch.uint8)
    log_probs, entropies = evaluate_actions(scores, mask, torch.tensor([1, 3]))
    assert torch.allclose(entropies, torch.tensor([4.0, 2.0]).log())
    assert float(log_probs[1].detach()) < -1e8
    (log_probs[0] + entropies.sum()).backward()
    assert not scores.grad[0].any()
    with pytest.raises(ValueError, match="an action is below 0 or not below the number of actions"):
        evaluate_actions(scores, mask, torch.tensor([1, 4]))
