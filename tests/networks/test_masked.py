"""Masked choice: illegal actions have no probability, no entropy and no gradient."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from jimbot.networks import MaskedCategorical, MaskError, apply_mask, masked_argmax, masked_max  # noqa: E402

SIZES = [2, 500, 8000]


def half_legal(actions: int, batch: int = 6):
    torch.manual_seed(actions)
    mask = torch.rand(batch, actions) < 0.5
    mask[:, 1] = True
    return torch.randn(batch, actions) * 5, mask


@pytest.mark.parametrize("actions", SIZES)
@pytest.mark.parametrize("dtype", [torch.uint8, torch.bool, torch.int8, torch.float32])
def test_illegal_actions_have_probability_zero(actions, dtype):
    logits, mask = half_legal(actions)
    distribution = MaskedCategorical(logits, mask.to(dtype))
    assert torch.all(distribution.probs[~mask] == 0)
    assert torch.allclose(distribution.probs.sum(1), torch.ones(6))
    assert torch.all(apply_mask(logits, mask).softmax(1)[~mask] == 0)


@pytest.mark.parametrize("actions", SIZES)
def test_entropy_and_log_probabilities_are_those_of_the_legal_actions_alone(actions):
    logits, mask = half_legal(actions)
    distribution = MaskedCategorical(logits, mask)
    for row in range(len(logits)):
        legal = torch.distributions.Categorical(logits=logits[row][mask[row]])
        assert torch.allclose(distribution.entropy()[row], legal.entropy(), atol=1e-4)
        places = mask[row].nonzero().squeeze(1)
        best = places[legal.probs.argmax()]
        assert distribution.mode[row] == best
        assert torch.allclose(distribution.log_prob(distribution.mode)[row], legal.logits.max(), atol=1e-4)


@pytest.mark.parametrize("actions", SIZES)
def test_one_legal_action_is_certain(actions):
    mask = torch.zeros(4, actions)
    mask[:, actions - 1] = 1
    logits = torch.full((4, actions), 50.0, requires_grad=True)
    distribution = MaskedCategorical(logits, mask)
    assert torch.all(distribution.sample() == actions - 1)
    assert torch.all(distribution.entropy() == 0)
    assert torch.all(distribution.log_prob(torch.full((4,), actions - 1)) == 0)
    (distribution.entropy().sum() + distribution.log_prob(distribution.mode).sum()).backward()
    assert torch.all(logits.grad == 0)


def test_samples_are_legal_and_follow_the_probabilities():
    torch.manual_seed(0)
    logits = torch.tensor([[9.0, 0.0, 1.0, 9.0]]).expand(20_000, 4)
    samples = MaskedCategorical(logits, torch.tensor([[0, 1, 1, 0]]).expand(20_000, 4)).sample()
    counts = samples.bincount(minlength=4) / 20_000
    assert counts[0] == counts[3] == 0
    assert counts[2] == pytest.approx(0.7311, abs=0.015)


def test_samples_repeat_with_their_generator():
    logits, mask = half_legal(500)
    draws = [MaskedCategorical(logits, mask).sample(torch.Generator().manual_seed(5)) for _ in range(2)]
    assert torch.equal(*draws)


def test_gradient_never_reaches_illegal_logits():
    logits, mask = half_legal(500)
    logits.requires_grad_()
    distribution = MaskedCategorical(logits, mask)
    (distribution.entropy() + distribution.log_prob(distribution.mode)).sum().backward()
    assert torch.isfinite(logits.grad).all()
    assert torch.all(logits.grad[~mask] == 0)
    assert logits.grad[mask].abs().sum() > 0


@pytest.mark.parametrize("size", [1e30, -1e8, 0.0])
def test_extreme_logits_give_no_nan(size):
    logits = torch.full((2, 5), size, requires_grad=True)
    mask = torch.tensor([[1, 1, 0, 0, 0], [0, 0, 1, 1, 1]])
    distribution = MaskedCategorical(logits, mask)
    assert torch.isfinite(distribution.entropy()).all()
    assert torch.all(distribution.probs[mask == 0] == 0)
    distribution.entropy().sum().backward()
    assert torch.isfinite(logits.grad).all()


def test_divergence_of_a_distribution_from_itself_is_zero():
    logits, mask = half_legal(500)
    one, other = MaskedCategorical(logits, mask), MaskedCategorical(logits * 0.5, mask)
    assert torch.all(one.kl_divergence(one) == 0)
    assert torch.all(one.kl_divergence(other) > 0)


def test_best_action_is_the_best_legal_one():
    values = torch.tensor([[3.0, 1.0, 2.0], [-5.0, -7.0, -6.0]])
    mask = torch.tensor([[0, 1, 1], [0, 1, 1]])
    assert masked_argmax(values, mask).tolist() == [2, 2]
    assert masked_max(values, mask).tolist() == [2.0, -6.0]


def test_rows_without_a_legal_action():
    values, mask = torch.ones(3, 4), torch.ones(3, 4)
    mask[1] = 0
    with pytest.raises(MaskError, match="row 1"):
        MaskedCategorical(values, mask)
    with pytest.raises(MaskError, match="row 1"):
        masked_argmax(values, mask)
    assert masked_max(values, mask).tolist() == [1.0, 0.0, 1.0]
    assert torch.isfinite(apply_mask(values, mask)).all()


def test_the_largest_draw_is_still_legal():
    """However the sum of the probabilities is rounded, the place drawn lies below it."""
    torch.manual_seed(0)
    mask = torch.rand(4_000, 300) < 0.3
    mask[:, 7] = True
    distribution = MaskedCategorical(torch.randn(4_000, 300) * 5, mask)

    class Largest(torch.Tensor):
        """Draws the largest number below 1 everywhere."""

        def uniform_(self, *_: object, **__: object):
            return self.fill_(1 - 2**-24)

    distribution.logits = distribution.logits.as_subclass(Largest)
    drawn = distribution.sample().as_subclass(torch.Tensor)
    assert bool(mask.gather(1, drawn.unsqueeze(1)).all())
    assert bool((distribution.probs.as_subclass(torch.Tensor).gather(1, drawn.unsqueeze(1)) > 0).all())
