"""On which chip, and how, calls run."""

import contextlib
import contextvars
import dataclasses
import os
from typing import Optional


@dataclasses.dataclass(frozen=True)
class Settings:
    soc: str
    opp: Optional[str] = None
    checked: bool = False
    in_process: bool = False


_settings = contextvars.ContextVar("opkit_settings", default=None)


def settings():
    return _settings.get() or Settings(soc=os.environ.get("OPKIT_SOC") or "Ascend910B1")


@contextlib.contextmanager
def device(**changes):
    """Calls inside of the block run so: soc="Ascend310B1" (else $OPKIT_SOC, else Ascend910B1);
    opp: the OPP folder; checked=True: the engine also judges queues, pipes and races;
    in_process=True: without a worker, faster, and a crash of the plugin ends this process."""
    token = _settings.set(dataclasses.replace(settings(), **changes))
    try:
        yield settings()
    finally:
        _settings.reset(token)
