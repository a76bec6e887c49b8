"""The `baloot` command: what can be typed, and what each option means. The work is done in the modules beside this folder."""

from __future__ import annotations

from baloot.app.cli import (
    accounts,
    audit,
    history,
    logs,
    monitor,
    notation,
    platform,
    probes,
    rules,
    serve,
    verify,
)
from baloot.app.cli.command import group
from baloot.app.ending import ended

app = group(
    """A backend for the Saudi card game Baloot: run it, play on it, look into it.

    Exit codes: 0 done, 1 something is wrong or could not be done, 2 a command was not typed as it must be, or there was
    nothing that verify, proof, audit, monitor or notation check could judge, 130 stopped, 141 nobody read the output.
    """,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("up")(platform.up)
app.command("run")(platform.run)
app.command("demo")(platform.demo)
app.command("play")(platform.play)
app.command("migrate")(serve.migrate)
app.command("explain")(history.explain)
app.command("proof")(verify.proof)
app.command("verify")(verify.verify)
app.command("audit")(audit.audit)
app.command("log")(logs.log)
app.command("looks")(logs.looks)
app.command("export")(notation.export)
app.command("import")(notation.import_matches)
app.command("health")(probes.health)
app.command("info")(probes.info)
app.command("version")(probes.version)
app.add_typer(serve.serve, name="serve")
app.add_typer(rules.rules, name="rules")
app.add_typer(history.history, name="history")
app.add_typer(notation.notation, name="notation")
app.add_typer(monitor.monitor, name="monitor")
app.add_typer(accounts.accounts, name="accounts")
app.add_typer(accounts.keys, name="keys")


def main() -> None:
    """What the `baloot` script runs."""
    ended(app)
