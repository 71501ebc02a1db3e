"""Errors of opkit as exceptions."""


class OpkitError(Exception):
    """code: stable, "OPK-INFER-003"; text: one sentence with the values; action: what to do next."""

    def __init__(self, code, text, *, action="", place="", op="", constraint="", trail=()):
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.action = action
        self.place = place
        self.op = op
        self.constraint = constraint
        self.trail = list(trail)

    def __str__(self):
        about = " ".join(word for word in (self.op, self.constraint) if word)
        lines = [
            (f"{self.place}: " if self.place else "")
            + f"error {self.code}: "
            + (f"{about}: " if about else "")
            + self.text
        ]
        lines += [f"  in {outer}" for outer in self.trail]
        if self.action:
            lines.append(f"  try: {self.action}")
        return "\n".join(lines)


def error_of(said):
    """The exception of an error as the tools write it in JSON."""
    place = said.get("place") or {}
    where = ":".join(
        str(part) for part in (place.get("file"), place.get("line"), place.get("column")) if part
    )
    return OpkitError(
        said["code"],
        said["message"],
        action=said.get("action", ""),
        place=where,
        op=said.get("op", ""),
        constraint=said.get("constraint", ""),
        trail=said.get("trail", ()),
    )
