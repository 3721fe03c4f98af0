"""Lists and mappings of a trainer's own configuration: they read as usual and refuse to be changed."""

from __future__ import annotations

from typing import Any, NoReturn, cast

from jimbot.errors import JimbotError

__all__ = ["ConfigError", "FrozenDict", "FrozenList", "freeze_value", "refuse_change"]


class ConfigError(JimbotError, ValueError):
    """A configuration that cannot be obeyed; the message names the field and what it may be."""

    names_field = True
    """The text begins with the path of a field, which an outer section may extend."""


def refuse_change(*_: Any, **__: Any) -> NoReturn:
    """The one error for every attempt to change a frozen configuration."""
    raise ConfigError(
        "this configuration belongs to a trainer and cannot be changed; "
        "use config.copy_with(...) and make a new trainer with the copy"
    )


class FrozenList(list[Any]):
    """A list that cannot be changed; ``list(values)`` is a copy that can."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = refuse_change
    append = extend = insert = pop = remove = clear = sort = reverse = refuse_change

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


class FrozenDict(dict[str, Any]):
    """A mapping that cannot be changed; ``dict(values)`` is a copy that can."""

    __setitem__ = __delitem__ = __ior__ = refuse_change
    pop = popitem = clear = update = setdefault = refuse_change

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def freeze_value(value: Any) -> Any:
    """The same value with every list and mapping in it frozen."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return FrozenDict({key: freeze_value(each) for key, each in items})
    if isinstance(value, list):
        return FrozenList([freeze_value(each) for each in cast("list[Any]", value)])
    if type(value) is tuple:
        return tuple(freeze_value(each) for each in cast("tuple[Any, ...]", value))
    freeze = getattr(value, "freeze_fields", None)
    if freeze is not None:
        freeze()
    return value
