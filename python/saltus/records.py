# SPDX-License-Identifier: Apache-2.0
"""What the parts of a model have in common: they are plain records with named fields.

A record is made with keywords (or in the order of its fields), changed by assignment, compared
with ``==``, and printed as the call that makes it. ``to_json`` and ``from_json`` go to and from the
objects of model files; fields at their defaults are left out there.
"""

from __future__ import annotations

import dataclasses
import difflib
import numbers
from typing import Any

_classes: dict[str, type] = {}  # by name, for from_json


class Record:
    """Base of everything that a model file can say."""

    _type: str | None = None  # the key "type" of the file
    _required: tuple[str, ...] = ()
    _unions: dict[str, tuple[str, ...]] = {}  # records that a field may hold, by their names
    _unwritten: tuple[str, ...] = ()  # what a program gives and no file has
    comment: Any

    def __init_subclass__(cls) -> None:
        _classes[cls.__name__] = cls

    def __new__(cls, *args: Any, **values: Any):
        fields = getattr(cls, "__dataclass_fields__", {})
        for name in values:
            if name not in fields:
                raise TypeError(f"{cls.__name__} has no field {name!r}"
                                + did_you_mean(name, fields))
        return object.__new__(cls)

    def __post_init__(self) -> None:
        missing = [name for name in self._required if getattr(self, name) is None]
        if missing:
            raise TypeError(f"{type(self).__name__} needs {' and '.join(missing)}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dataclass_fields__:  # type: ignore[attr-defined]
            raise AttributeError(f"{type(self).__name__} has no field {name!r}"
                                 + did_you_mean(name, self.__dataclass_fields__))  # type: ignore[attr-defined]
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={_shown(value)}" for name, value in self._given())
        return f"{type(self).__name__}({given})"

    def _given(self):
        """Fields that are required or not at their defaults, with their values."""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.default_factory is not dataclasses.MISSING:
                default = field.default_factory()
            else:
                default = field.default
            if field.name in self._required or not _same(value, default):
                yield field.name, value

    def to_json(self) -> dict[str, Any]:
        """The object of a model file that says the same."""
        out: dict[str, Any] = {}
        if self._type is not None:
            out["type"] = self._type
        for name, value in self._given():
            if name in self._unwritten:
                continue
            try:
                out[name] = plain(value)
            except TypeError as error:
                raise TypeError(f"{name} of {type(self).__name__}: {error}") from None
        return out

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, field.name), getattr(other, field.name))
                   for field in dataclasses.fields(self))  # type: ignore[arg-type]

    @classmethod
    def from_json(cls, data: dict[str, Any]):
        """The record that an object of a model file describes."""
        known = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        values = {}
        for key, value in data.items():
            if key == "type" and cls._type is not None:
                if value != cls._type:
                    raise TypeError(f"{cls.__name__} is {cls._type!r} in files, not {value!r}")
                continue
            if key not in known:
                raise TypeError(f"{cls.__name__} has no field {key!r}" + did_you_mean(key, known))
            values[key] = _read(value, cls._unions.get(key, ()))
        return cls(**values)


def did_you_mean(name: str, names) -> str:
    near = difflib.get_close_matches(name, list(names), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _read(value: Any, names: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_read(item, names) for item in value]
    if not isinstance(value, dict) or not names:
        return value
    for name in names:
        if _classes[name]._type == value.get("type"):
            return _classes[name].from_json(value)
    if len(names) == 1 or "type" not in value:
        return _classes[names[0]].from_json(value)
    kinds = [_classes[name]._type for name in names]
    raise TypeError(f"no record has the type {value['type']!r}"
                    + did_you_mean(value["type"], [k for k in kinds if k]))


def plain(value: Any) -> Any:
    """Numbers, texts, lists and dictionaries for JSON; NumPy's kinds of numbers too."""
    if isinstance(value, Record):
        return value.to_json()
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # NumPy
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    hint = "; write it with parentheses to make a record of it" if (
        isinstance(value, type) and issubclass(value, Record)) else ""
    raise TypeError(f"a model holds numbers, texts, lists and records, not {value!r}{hint}")


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Record) or isinstance(b, Record):
        return a == b
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_same, a, b))
    try:
        return plain(a) == plain(b)
    except TypeError:
        return a is b


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)) and len(value) > 12:
        return f"[{len(value)} entries]"
    if hasattr(value, "tolist"):
        return repr(value.tolist())
    return repr(value)
