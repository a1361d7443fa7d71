"""Kinds of values in our TOML files, each with its range and the sentence that refuses another."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from posed.numerals import read_fraction
from posed.scene.toml import Document, Keys

LARGEST_NUMBER: int = 10**300
"""Products of a few numbers of a file stay finite in float64 only well below its largest."""


def wrong(message: str) -> PydanticCustomError:
    """Return what a validator raises to refuse a value with `message`."""
    return PydanticCustomError("wrong", "{message}", {"message": message})


def found(value: object) -> str:
    """Return `value` as a person would name it."""
    match value:
        case str():
            return f'"{value}"'
        case bool():
            return "true" if value else "false"
        case dict():
            return "a table"
        case list():
            return f"a list of {len(value)}"
    return str(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise wrong(f"expected a number, found {found(value)}")
    number: int | Decimal = value
    finite = isinstance(number, int) or number.is_finite()
    if not (finite and -LARGEST_NUMBER < number < LARGEST_NUMBER):
        raise wrong(f"expected a finite number below 1e300, found {found(value)}")
    return float(number)


def _exact(value: Any) -> Fraction:
    """Keep a number as the text has it: 0.1 is one tenth."""
    _number(value)
    if value != 0 and not Decimal("1e-12") <= abs(value) <= Decimal("1e12"):
        raise wrong(f"expected a number between 1e-12 and 1e12 in size, found {found(value)}")
    return Fraction(value)


def _rate(value: Any) -> Fraction:
    """Ticks a second, from an integer or a text such as "30000/1001"."""
    try:
        rate = read_fraction(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    except ValueError:
        rate = None
    if rate is None:
        raise wrong(f'expected an integer or a text such as "30000/1001", found {found(value)}')
    if not 0 < rate <= 1_000_000 or rate.denominator > 1_000_000:
        raise wrong(f"the rate is {rate} ticks a second; expected one above 0, up to 1,000,000")
    return rate


def numbers(*counts: int, least: float | None = None, most: float | None = None) -> Callable[[Any], tuple[float, ...]]:
    """Return a validator for a list of as many numbers as one of `counts` says, each in [least, most]."""
    expected = " or ".join(map(str, counts)) + " numbers"
    if least is not None:
        expected += f" of {least:g} or more" if most is None else f" between {least:g} and {most:g}"

    def check(value: Any) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) not in counts:
            raise wrong(f"expected {expected}, found {found(value)}")
        values = tuple(_number(item) for item in value)
        if any((least is not None and item < least) or (most is not None and item > most) for item in values):
            raise wrong(f"expected {expected}, found {list(values)}")
        return values

    return check


def _rotation(value: Any) -> tuple[float, ...]:
    x, y, z, w = parts = numbers(4)(value)
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if abs(length - 1.0) > 1e-3:
        raise wrong(f"a rotation is a quaternion x, y, z, w of length 1; this one has length {length:.6g}")
    return tuple(part / length for part in parts)


def _color(value: Any) -> tuple[float, ...]:
    values = numbers(3, 4, least=0.0, most=1.0)(value)
    return values if len(values) == 4 else (*values, 1.0)


def number_or(*counts: int, above: float | None = None) -> Callable[[Any], tuple[float, ...]]:
    """Return a validator for one number or a list of as many as one of `counts` says, each above `above`."""

    def check(value: Any) -> tuple[float, ...]:
        values = numbers(*counts)(value) if isinstance(value, list) else (_number(value),)
        if above is not None and any(item <= above for item in values):
            raise wrong(f"expected numbers above {above:g}, found {list(values)}")
        return values

    return check


Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]
Real = Annotated[float, BeforeValidator(_number)]
Positive = Annotated[Real, Field(gt=0)]
NotNegative = Annotated[Real, Field(ge=0)]
Unit = Annotated[Real, Field(ge=0, le=1)]
Exact = Annotated[Fraction, BeforeValidator(_exact)]
Rate = Annotated[Fraction, BeforeValidator(_rate)]
Vector = Annotated[Vec3, BeforeValidator(numbers(3))]
Radiance = Annotated[Vec3, BeforeValidator(numbers(3, least=0.0))]
Color = Annotated[Vec4, BeforeValidator(_color)]
Rotation = Annotated[Vec4, BeforeValidator(_rotation)]
Flag = Annotated[bool, Field(strict=True)]
Integer = Annotated[int, Field(strict=True)]
Index = Annotated[Integer, Field(ge=0)]
Name = Annotated[str, Field(strict=True, min_length=1)]
ClipKey = Name | Index


class Table(BaseModel):
    """A table whose keys are all listed; another key is refused with the nearest one that exists."""

    model_config = ConfigDict(frozen=True, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _keys(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong(f"expected a table, found {found(value)}")
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in value:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                cure = f'did you mean "{near[0]}"?' if near else f"the keys here are {', '.join(known)}"
                raise PydanticCustomError("unknown", "{message}", {"message": f"unknown key; {cure}", "key": key})
        return value


Schema = TypeVar("Schema", bound=Table)


def check(document: Document, schema: type[Schema]) -> Schema:
    """Return the document's content as `schema`, kinds and ranges checked.

    Raises
    ------
    SceneError
        The first fault in the file, at its line and dotted key.
    """
    try:
        return schema.model_validate(document.data)
    except ValidationError as errors:
        faults = [_fault(document, error) for error in errors.errors(include_url=False)]
        keys, message = min(faults, key=lambda fault: (document.line(fault[0]), -len(fault[0])))
        raise document.error(keys, message) from None


def _fault(document: Document, error: Any) -> tuple[Keys, str]:
    keys, value = _place(document, error["loc"]), error["input"]
    match error["type"]:
        case "unknown":
            return (*keys, error["ctx"]["key"]), error["msg"]
        case "missing":
            return (*keys, error["loc"][-1]), "is missing"
        case "wrong":
            return keys, error["msg"]
        case "literal_error":
            choices = error["ctx"]["expected"].replace("'", '"')
            return keys, f"expected {choices}, found {found(value)}"
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            relation = {"gt": "above", "ge": "not below", "lt": "below", "le": "not above"}
            ((kind, limit),) = error["ctx"].items()
            return keys, f"expected a number {relation[kind]} {limit:g}, found {found(value)}"
    message = error["msg"].removeprefix("Input should be ").removeprefix("a valid ").replace("valid ", "")
    return keys, f"expected {message}, found {found(value)}"


def _place(document: Document, location: tuple[str | int, ...]) -> Keys:
    """Return the keys of `location` that are in the file: pydantic's also names members of unions and tuples."""
    keys: Keys = ()
    here: Any = document.data
    for step in location:
        inside = (isinstance(here, dict) and step in here) or (
            isinstance(here, list) and isinstance(step, int) and step < len(here)
        )
        if inside:
            keys, here = (*keys, step), here[step]
    return keys
