"""How a function becomes a command: it is given what was typed, and returns what is to be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

import typer
from baloot.app.work import FAILED, Work
from typer.core import TyperGroup


def group(help_text: str, **settings: Any) -> typer.Typer:
    """A command that has commands below it; without one it shows its help, unless `settings` say otherwise."""
    return typer.Typer(help=help_text, rich_markup_mode=None, **{"no_args_is_help": True} | settings)


class PassingOn(TyperGroup):
    """Options that stand before one of its commands are meant for that, or are wrong."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        before = [word for option in ctx.params if _was_typed(ctx, option) for word in _written(ctx, option)]
        return name, command, [*before, *rest]


def _was_typed(ctx: Any, option: str) -> bool:
    source = ctx.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _written(ctx: Any, option: str) -> tuple[str, str]:
    return f"--{option.replace('_', '-')}", str(ctx.params[option])


def runs(
    log_level: str = "warning", *, failed: int = FAILED
) -> Callable[[Callable[..., Work]], Callable[..., None]]:
    """Makes a command of a function: its work is run, and the process ends with its exit code.

    An expected error, wherever it is raised, is one line on standard error and the exit code `failed`. A parameter that
    is a dataclass stands for the options that its fields are; its default holds theirs.
    """

    def made(function: Callable[..., Work]) -> Callable[..., None]:
        groups = dict(_groups(function))

        @wraps(function)
        def command(**typed: Any) -> None:
            from baloot.app import commands

            given = _gathered(typed, groups)
            if code := commands.run(lambda: function(**given), log_level=log_level, failed=failed):
                raise typer.Exit(code)

        options = list(_options(function))
        command.__annotations__ = {option.name: option.annotation for option in options}
        command.__signature__ = Signature(options)  # type: ignore[attr-defined]
        return command

    return made


def _groups(function: Callable[..., Work]) -> Iterator[tuple[str, type[Any]]]:
    """The parameters that stand for several options, with their types."""
    for name, kind in get_type_hints(function).items():
        if isinstance(kind, type) and is_dataclass(kind):
            yield name, kind


def _options(function: Callable[..., Work]) -> Iterator[Parameter]:
    """What can be typed, one by one and in order."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in signature(function).parameters.items():
        if is_dataclass(kind := hints[name]):
            each = get_type_hints(kind, include_extras=True)
            for field in fields(kind):
                default = getattr(parameter.default, field.name)
                yield _option(field.name, default, each[field.name])
        else:
            yield _option(name, parameter.default, kind)


def _option(name: str, default: Any, annotation: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _gathered(typed: dict[str, Any], groups: dict[str, type[Any]]) -> dict[str, Any]:
    """What was typed, as the function takes it."""
    given = {
        name: kind(**{field.name: typed.pop(field.name) for field in fields(kind)})
        for name, kind in groups.items()
    }
    return typed | given
