"""Encoders of sets: leaving out what is not there changes no number and no gradient."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from jimbot.networks.layout import EncoderLayout  # noqa: E402
from jimbot.networks.torch import layers as torch_layers  # noqa: E402
from jimbot.networks.torch.layers import SetEncoder, make_embedding  # noqa: E402


def encoder(activation: str) -> SetEncoder:
    layout = EncoderLayout("shelf", ("a", "b"), ("x", "y"), (4, 3), 5, 6, (8, 7), 9, 2)
    torch.manual_seed(1)
    made = SetEncoder(layout, activation)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


@pytest.mark.parametrize("activation", ["relu", "tanh", "silu"])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0], ids=["none", "some", "all"])
def test_present_rows_alone_give_what_all_rows_give(activation, share, monkeypatch):
    made, table = encoder(activation), make_embedding(20, 6)
    present = torch.rand(11, 7) < share
    numbers, places = torch.randn(11, 7, 5), torch.randint(20, (11, 7))
    numbers[:, 1], places[:, 1] = numbers[:, 0], places[:, 0]  # equal rows share a maximum
    weights = torch.randn(11, 2 * 9 + 7 * 2)
    results = []
    for traced in (False, True):
        monkeypatch.setattr(torch_layers, "is_traced", lambda traced=traced: traced)
        out = torch.cat(made(numbers, present, table, places), 1)
        gradients = torch.autograd.grad((out * weights).sum(), [*made.parameters(), table.weight])
        results.append([out, *gradients])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_what_stands_in_absent_rows_does_not_matter():
    made, table = encoder("relu"), make_embedding(20, 6)
    present = torch.rand(5, 7) < 0.5
    numbers, places = torch.randn(5, 7, 5), torch.randint(20, (5, 7))
    before = torch.cat(made(numbers, present, table, places), 1)
    numbers[~present], places[~present] = 1e6, 3
    assert torch.equal(before, torch.cat(made(numbers, present, table, places), 1))
