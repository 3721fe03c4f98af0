"""Policy files: what is written is what is read, whole or not at all, and nothing in them is executed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import pickle
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from jimbot.balatro.env import schema  # noqa: E402
from jimbot.networks import (  # noqa: E402
    ObservationNormalizer,
    PolicyFileError,
    create_network,
    get_tensors,
    load_network,
    load_policy,
    make_network_spec,
    save_policy,
)

from .samples import SMALL, balatro_batch, candidate_batch, flat_batch, plain_batch  # noqa: E402


def network_for(batch):
    torch.manual_seed(0)
    return create_network(make_network_spec(*batch()[:2], **SMALL))


@pytest.fixture
def saved(tmp_path):
    """A directory with a policy of CartPole and its normalizer."""
    network = network_for(plain_batch)
    normalizer = ObservationNormalizer.for_spec(network.spec)
    normalizer(plain_batch()[2])
    save_policy(tmp_path, network.spec, get_tensors(network), normalizer, {"steps": 7})
    return tmp_path


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch, flat_batch, plain_batch])
def test_round_trip(batch, tmp_path):
    network = network_for(batch)
    written = save_policy(tmp_path / "deep" / "best", network.spec, network.state_dict(), metadata={"a": [1]})
    assert written == tmp_path / "deep" / "best" / "policy.json"
    policy = load_policy(tmp_path / "deep" / "best")
    assert policy.spec == network.spec
    assert policy.metadata == {"a": [1]}
    assert policy.normalizer is None
    expected = get_tensors(network)
    assert policy.tensors.keys() == expected.keys()
    assert all(np.array_equal(policy.tensors[name], expected[name]) for name in expected)
    balatro = network.spec.kind == "balatro"
    assert policy.observation_version == (schema.OBSERVATION_VERSION if balatro else None)
    assert sorted(path.name for path in written.parent.iterdir()) == ["policy.json", "policy.safetensors"]


def test_loaded_network_is_the_saved_one_and_draws_nothing(saved):
    obs = torch.as_tensor(plain_batch()[2])
    torch.manual_seed(9)
    expected = torch.rand(1)
    torch.manual_seed(9)
    network = load_network(saved)
    assert torch.equal(torch.rand(1), expected)
    assert not network.training
    with torch.no_grad():
        assert torch.equal(network(obs)[0], network_for(plain_batch)(obs)[0])


def test_normalizer_is_restored_and_frozen(saved):
    normalizer = load_policy(saved).normalizer
    assert normalizer is not None
    assert normalizer.frozen
    other = ObservationNormalizer({"observation": (4,)})
    obs = plain_batch()[2]
    assert np.array_equal(normalizer.normalize(obs), other(obs))


@pytest.mark.parametrize("name", ["best.json", "best.safetensors"])
def test_named_files(name, tmp_path):
    network = network_for(plain_batch)
    save_policy(tmp_path / "best.json", network.spec, get_tensors(network))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["best.json", "best.safetensors"]
    assert load_policy(tmp_path / name).spec == network.spec


def test_same_policy_same_bytes(saved, tmp_path_factory):
    again = tmp_path_factory.mktemp("again")
    policy = load_policy(saved)
    normalizer = policy.normalizer
    assert normalizer is not None
    normalizer.frozen = False
    save_policy(again, policy.spec, policy.tensors, normalizer, policy.metadata)
    for name in ("policy.json", "policy.safetensors"):
        assert (again / name).read_bytes() == (saved / name).read_bytes()


@pytest.mark.parametrize("at", [1, 2])
def test_a_write_that_fails_leaves_the_old_policy(at, saved, monkeypatch):
    """Whichever of the two files there is no space for."""
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    policy = load_policy(saved)
    synchronize, calls = os.fsync, []

    def fail(descriptor):
        calls.append(descriptor)
        if len(calls) == at:
            raise OSError(errno.ENOSPC, "No space left on device")
        synchronize(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(PolicyFileError, match=f"cannot write the policy {saved}: No space left on device"):
        save_policy(saved, policy.spec, policy.tensors)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


def test_a_place_that_cannot_be_made_is_one_clear_error(saved, tmp_path):
    policy = load_policy(saved)
    (tmp_path / "file").write_text("")
    with pytest.raises(PolicyFileError, match=r"cannot write the policy .*: Not a directory"):
        save_policy(tmp_path / "file" / "below", policy.spec, policy.tensors)


def test_a_death_between_the_two_names_is_noticed(saved, monkeypatch):
    policy = load_policy(saved)
    replace, renamed = os.replace, []

    def once(written, path):
        if renamed:
            raise KeyboardInterrupt
        renamed.append(path)
        replace(written, path)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(KeyboardInterrupt):
        save_policy(saved, policy.spec, policy.tensors)  # without the normalizer: other bytes
    assert [path.name for path in renamed] == ["policy.safetensors"]
    with pytest.raises(PolicyFileError, match="checksum"):
        load_policy(saved)


def edit_json(directory, **changes: Any):
    path = directory / "policy.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def replace_tensors(directory, payload):
    """Other numbers with a checksum that fits."""
    (directory / "policy.safetensors").write_bytes(payload)
    edit_json(directory, sha256=hashlib.sha256(payload).hexdigest())


def cut(directory, name):
    path = directory / name
    path.write_bytes(path.read_bytes()[:-10])


def other_spec(**changes: Any):
    return lambda directory: edit_json(
        directory, spec=json.loads((directory / "policy.json").read_text())["spec"] | changes
    )


REFUSED = {
    "missing json": (lambda d: (d / "policy.json").unlink(), "there is no policy file"),
    "missing tensors": (lambda d: (d / "policy.safetensors").unlink(), "there is no policy file"),
    "cut json": (lambda d: cut(d, "policy.json"), "is not JSON"),
    "cut tensors": (lambda d: cut(d, "policy.safetensors"), "checksum"),
    "empty json": (lambda d: (d / "policy.json").write_text(""), "is not JSON"),
    "binary json": (lambda d: (d / "policy.json").write_bytes(b"\xff\xfe\x00"), "is not JSON"),
    "foreign json": (lambda d: (d / "policy.json").write_text('{"a": 1}'), "no policy file of jimbot"),
    "json list": (lambda d: (d / "policy.json").write_text("[]"), "no policy file of jimbot"),
    "other version": (lambda d: edit_json(d, version=2), "version 2; this jimbot reads 1"),
    "other entries": (lambda d: edit_json(d, extra=1), "other entries"),
    "wrong checksum": (lambda d: edit_json(d, sha256="0" * 64), "checksum"),
    "versions of words": (lambda d: edit_json(d, observation_version="one"), "other entries"),
    "unknown field": (other_spec(color=1), "unknown field 'color'"),
    "newer description": (other_spec(version=9), "version 9"),
    "wider": (other_spec(features_dim=33), r"has shape \(32,\), its network \(33,\)"),
    "deeper": (other_spec(shared_layers=[24, 32]), "lacks the parameter"),
    "shallower": (
        other_spec(value_net_arch=[16]),
        "value_head.weight has shape|which its network does not have",
    ),
    "no safetensors": (lambda d: replace_tensors(d, b"hello"), "is no safetensors file"),
    "huge header": (lambda d: replace_tensors(d, b"\xff" * 64), "is no safetensors file"),
    "nothing": (lambda d: replace_tensors(d, b""), "is no safetensors file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_broken_file_is_refused_with_one_line(name, saved):
    spoil, message = REFUSED[name]
    load_policy(saved)
    spoil(saved)
    with pytest.raises(PolicyFileError, match=message) as caught:
        load_policy(saved)
    assert "\n" not in str(caught.value)


class Payload:
    """Makes a file when it is unpickled."""

    def __init__(self, path) -> None:
        self.path = str(path)

    def __reduce__(self) -> Any:
        return (open, (self.path, "w"))


@pytest.mark.parametrize("fitting", [True, False])
@pytest.mark.parametrize("kind", ["pickle", "torch"])
def test_nothing_is_executed(kind, fitting, saved, tmp_path_factory):
    proof = tmp_path_factory.mktemp("proof") / "executed"
    file = saved / "policy.safetensors"
    if kind == "pickle":
        file.write_bytes(pickle.dumps(Payload(proof)))
    else:
        torch.save(Payload(proof), file)
    if fitting:
        replace_tensors(saved, file.read_bytes())
    with pytest.raises(PolicyFileError):
        load_policy(saved)
    with pytest.raises(PolicyFileError):
        load_network(saved)
    assert not proof.exists()
    if kind == "pickle":  # the file would have done it
        pickle.loads(file.read_bytes()).close()
        assert proof.exists()


def test_wrong_tensors_are_not_written(tmp_path):
    network = network_for(plain_batch)
    for change, message in (
        ({"value_head.bias": np.array([np.nan], np.float32)}, "not finite"),
        ({"value_head.bias": np.zeros(1)}, "is float64, expected float32"),
        ({"value_head.bias": np.zeros(2, np.float32)}, "has shape"),
        ({"other": np.zeros(2, np.float32)}, "which its network does not have"),
    ):
        with pytest.raises(PolicyFileError, match=message):
            save_policy(tmp_path, network.spec, get_tensors(network) | change)
    with pytest.raises(PolicyFileError, match="JSON can hold"):
        save_policy(tmp_path, network.spec, get_tensors(network), metadata={"loss": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_not_finite_tensors_are_not_read(saved):
    from safetensors.numpy import save

    policy = load_policy(saved)
    bad = dict(policy.tensors)
    bad["value_head.bias"] = np.array([np.inf], np.float32)
    replace_tensors(saved, save(bad))
    with pytest.raises(PolicyFileError, match="not finite"):
        load_policy(saved)


def test_statistics_of_other_observations_are_refused(saved):
    from safetensors.numpy import save

    policy = load_policy(saved)
    state = ObservationNormalizer({"observation": (5,)}).state_dict()
    stored = dict(policy.tensors) | {f"normaliser:{name}": array for name, array in state.items()}
    replace_tensors(saved, save(stored))
    with pytest.raises(PolicyFileError, match="statistics of 'observation' do not fit"):
        load_policy(saved)


def test_policy_of_another_balatro_is_refused(tmp_path):
    network = network_for(balatro_batch)
    save_policy(tmp_path, network.spec, get_tensors(network))
    load_network(tmp_path)
    edit_json(tmp_path, observation_version=schema.OBSERVATION_VERSION + 1)
    assert load_policy(tmp_path).observation_version == schema.OBSERVATION_VERSION + 1
    with pytest.raises(PolicyFileError, match=r"version \d+ of Balatro's observations, this is version"):
        load_network(tmp_path)
