"""Exceptions. Each carries the library's sentence, and belongs to the family of Python's own that fits it."""


class Error(Exception):
    """Whatever the library refuses or cannot do; str() is its sentence with place and cure."""


class ArgumentError(Error, ValueError):
    """An argument that is not valid."""


class StaleHandleError(Error, ReferenceError):
    """Something that was removed from its world is used."""


class StaleViewError(Error, BufferError):
    """A view of the state is read after the world has moved on."""


class UnsupportedError(Error, NotImplementedError):
    """The chosen model cannot simulate this."""


class SceneError(Error, ValueError):
    """A scene, or keywords that describe a part of one, has mistakes: a line each."""


class NotFiniteError(Error, ArithmeticError):
    """The simulation produced a number that is not finite."""


class ConvergenceError(Error, ArithmeticError):
    """An iteration did not converge."""


class EnergyError(Error, ArithmeticError):
    """Energy appeared that nobody put in."""


class FileError(Error, OSError):
    """A file could not be read or written."""

    def __str__(self):
        return str(self.args[0]) if self.args else ""


class FormatError(Error, ValueError):
    """A file does not hold what it should."""


class InterruptedRun(Error):
    """Stopped on request."""
