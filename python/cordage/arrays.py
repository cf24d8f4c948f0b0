"""State as arrays: NumPy arrays that share the world's memory and know when they are out of date, or, where there is no
NumPy, cordage.Array, which has the buffer protocol."""
import functools

try:
    import numpy
except ImportError:
    numpy = None

if numpy is not None:

    class StateArray(numpy.ndarray):
        """A NumPy array that looks into a world's state without a copy. It may be read until the world moves on (a
        step, a restore, a new state); then every use raises StaleViewError. Its slices and reshapes are views, too.
        Results of arithmetic, and .copy(), are ordinary arrays with numbers of their own.

        numpy.asarray() takes the array as it is, without these checks: keep what it returns no longer than the view.
        """

        _owner = None

        def __array_finalize__(self, source):
            self._owner = getattr(source, "_owner", None)

        def _check(self):
            owner = self._owner
            if owner is not None:
                owner.check()

        @property
        def is_stale(self):
            """Whether the world has moved on."""
            return self._owner is not None and self._owner.is_stale

        def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
            plain = [_plain(item) for item in inputs]
            if out is not None:
                keywords["out"] = tuple(_plain(item) for item in out)
            return getattr(ufunc, method)(*plain, **keywords)

        def __array_function__(self, function, types, arguments, keywords):
            return function(*_plain_deep(arguments), **_plain_deep(keywords))

        def __getitem__(self, index):
            self._check()
            return super().__getitem__(index)

        def __iter__(self):
            self._check()
            return super().__iter__()

        @property
        def flat(self):
            self._check()
            return super().flat

        def __repr__(self):
            if self.is_stale:
                return f"<stale view of shape {self.shape}>"
            return repr(self.view(numpy.ndarray))

        __str__ = __repr__

        def __array__(self, *arguments, **keywords):
            self._check()
            return super().__array__(*arguments, **keywords)

        def copy(self, order="C"):
            """The same numbers in memory of their own, as an ordinary array."""
            return numpy.array(_plain(self), order=order)

        def __reduce__(self):
            return self.copy().__reduce__()

    def _plain(item):
        if isinstance(item, StateArray):
            item._check()
            return item.view(numpy.ndarray)
        return item

    def _plain_deep(item):
        if isinstance(item, (list, tuple)):
            return type(item)(_plain_deep(part) for part in item)
        if isinstance(item, dict):
            return {key: _plain_deep(part) for key, part in item.items()}
        return _plain(item)

    def _checked(name):
        method = getattr(numpy.ndarray, name)

        @functools.wraps(method)
        def call(self, *arguments, **keywords):
            self._check()
            return getattr(self.view(numpy.ndarray), name)(*arguments, **keywords)
        return call

    # The rest of ndarray's methods read at once, and give ordinary arrays or numbers.
    for _name in ("all any argmax argmin argpartition argsort astype byteswap choose clip compress cumprod cumsum diagonal "
                  "dot dump dumps flatten item max mean min nonzero prod ptp ravel repeat round searchsorted std sum take "
                  "tobytes tofile tolist trace var __bool__ __complex__ __contains__ __float__ __int__ __index__ "
                  "__copy__ __deepcopy__ __format__ __eq__ __ne__").split():
        if hasattr(numpy.ndarray, _name):
            setattr(StateArray, _name, _checked(_name))

    def state(array):
        """A view of the state for users."""
        view = numpy.asarray(array).view(StateArray)
        view._owner = array
        return view

    def owned(array):
        """Numbers that belong to the caller."""
        return numpy.asarray(array)

    def numbers(value):
        """What users give, for the extension: arrays become arrays of doubles."""
        if isinstance(value, numpy.ndarray):
            return numpy.asarray(_plain(value), dtype=float)
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
