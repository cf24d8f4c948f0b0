"""State as arrays: NumPy arrays that share the world's memory and know when they are out of date, or, where there is no
NumPy, cordage.Array, which has the buffer protocol."""
from .errors import ArgumentError

try:
    import numpy
except ImportError:
    numpy = None

if numpy is not None:

    class StateArray(numpy.lib.mixins.NDArrayOperatorsMixin):
        """A NumPy array that looks into a world's state without a copy. It may be read until the world moves on (a
        step, a restore, a new state); then every use raises StaleViewError. Its slices and reshapes are views, too.
        Results of arithmetic, and .copy(), are ordinary arrays with numbers of their own.

        It holds an array and is none, because NumPy reads arrays without asking them: numpy.array([view, ...]) of views
        that were kept over steps would be numbers of other times. NumPy's functions, operators, and the methods and
        attributes of arrays work as usual. numpy.asarray(view) gives the array itself, which is checked no more: keep it no
        longer than the view.
        """

        __slots__ = ("_array", "_owner")
        __hash__ = None

        def __init__(self, array, owner):
            self._array, self._owner = array, owner

        def _now(self):
            """The array, as long as it may be read."""
            self._owner.check()
            return self._array

        @property
        def is_stale(self):
            """Whether the world has moved on."""
            return self._owner.is_stale

        # What does not depend on the numbers is known of stale views, too.
        shape = property(lambda self: self._array.shape, doc="Entries along each dimension.")
        ndim = property(lambda self: self._array.ndim, doc="How many dimensions there are.")
        size = property(lambda self: self._array.size, doc="How many numbers there are.")
        strides = property(lambda self: self._array.strides, doc="Bytes from entry to entry along each dimension.")
        dtype = property(lambda self: self._array.dtype, doc="The kind of the numbers: float64.")
        flags = property(lambda self: self._array.flags, doc="How the numbers lie in memory; they cannot be written.")

        def __len__(self):
            return len(self._array)

        def __dir__(self):
            return sorted({name for name in dir(numpy.ndarray) if not name.startswith("__")} | set(super().__dir__()))

        def __getattr__(self, name):
            if name.startswith("__") or not hasattr(numpy.ndarray, name):
                raise AttributeError(f"a view of a state has no '{name}'")
            value = getattr(self._now(), name)
            if not callable(value):
                return _watched(value, [self])

            def call(*arguments, **keywords):
                views = [self]
                arguments, keywords = _plain_deep(arguments, views), _plain_deep(keywords, views)
                return _watched(getattr(self._now(), name)(*arguments, **keywords), views)
            call.__name__, call.__doc__ = name, value.__doc__
            return call

        def __array__(self, dtype=None, copy=None):
            array = self._now()
            return numpy.array(array, dtype=dtype) if copy else numpy.asarray(array, dtype=dtype)

        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            views = []
            return getattr(ufunc, method)(*_plain_deep(inputs, views), **_plain_deep(keywords, views))

        def __array_function__(self, function, types, arguments, keywords):
            views = []
            return _watched(function(*_plain_deep(arguments, views), **_plain_deep(keywords, views)), views)

        def __getitem__(self, index):
            views = [self]
            return _watched(self._now()[_plain_deep(index, views)], views)

        def __setitem__(self, index, value):
            raise ValueError("a world's state is read in place; set_state() changes it")

        def __iter__(self):
            self._owner.check()
            return (self[place] for place in range(len(self)))

        def __contains__(self, value):
            return value in self._now()

        def __bool__(self):
            return bool(self._now())

        def __int__(self):
            return int(self._now())

        def __float__(self):
            return float(self._now())

        def __complex__(self):
            return complex(self._now())

        def __format__(self, how):
            return format(self._now(), how)

        def __repr__(self):
            return f"<stale view of shape {self.shape}>" if self.is_stale else repr(self._array)

        def __str__(self):
            return repr(self) if self.is_stale else str(self._array)

        def copy(self, order="C"):
            """The same numbers in memory of their own, as an ordinary array."""
            return numpy.array(self._now(), order=order)

        def __copy__(self):
            return self.copy()

        def __deepcopy__(self, memory):
            return self.copy()

        def __reduce__(self):
            return self.copy().__reduce__()

    def _rebuilt(item, parts):
        """A list or tuple of these parts; tuples with named fields take them one by one."""
        return type(item)(*parts) if hasattr(item, "_fields") else type(item)(parts)

    def _plain_deep(item, views):
        """The arrays in place of views, which are noted."""
        if isinstance(item, StateArray):
            views.append(item)
            return item._now()
        if isinstance(item, (list, tuple)):
            return _rebuilt(item, [_plain_deep(part, views) for part in item])
        if isinstance(item, dict):
            return {key: _plain_deep(part, views) for key, part in item.items()}
        return item

    def _watched(item, views):
        """Results that look into a view's memory are views, too."""
        if isinstance(item, (list, tuple)):
            return _rebuilt(item, [_watched(part, views) for part in item])
        if type(item) is numpy.ndarray:
            for view in views:
                if numpy.may_share_memory(item, view._array):
                    return StateArray(item, view._owner)
        return item

    def state(array):
        """A view of the state for users."""
        return StateArray(numpy.asarray(array), array)

    def owned(array):
        """Numbers that belong to the caller."""
        return numpy.asarray(array)

    def numbers(value):
        """What users give, for the extension: arrays become arrays of doubles."""
        if isinstance(value, (numpy.ndarray, StateArray)):
            value = value if isinstance(value, numpy.ma.MaskedArray) else numpy.asarray(value)
            if value.dtype.kind == "c":
                raise ArgumentError("expected real numbers, found complex ones")
            if numpy.ma.is_masked(value):
                raise ArgumentError("expected numbers everywhere, found masked ones; fill them, as filled(0) does")
            return numpy.asarray(value, dtype=float)
        return value

    def indices(data, columns):
        """Rows of node numbers, from bytes of 32-bit numbers."""
        return numpy.frombuffer(data, dtype=numpy.uint32).reshape(-1, columns)
else:
    StateArray = None

    def state(array):
        """A view of the state for users."""
        return array

    def owned(array):
        """Numbers that belong to the caller."""
        return array

    def numbers(value):
        """What users give, for the extension."""
        return value

    def indices(data, columns):
        """Rows of node numbers, from bytes of 32-bit numbers."""
        return memoryview(data).cast("I", (len(data) // 4 // columns, columns)) if data else memoryview(b"")


def counted(number, thing):
    """"1 rod", "2 rods"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
