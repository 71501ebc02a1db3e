"""Frames that go through several stages at once."""

import queue
import threading

from .errors import OpkitError


class _End:
    """What comes behind the last frame: nothing, or what went wrong."""

    def __init__(self, error=None):
        self.error = error


class Pipeline:
    """Stages that work side by side, each on a frame of its own: reading and decoding, a model,
    what is made of its outputs.

        top5 = opkit.Pipeline(decode, model, best_five, in_flight=4)
        for classes in top5(paths): ...

    A stage is anything that can be called; what one returns the next one is called with, a tuple
    as its arguments. Results come in the order of the frames. At most `in_flight` frames have been
    taken and not been handed over, so that a fast source does not fill the memory. An exception of
    the source or of a stage comes out behind the results before it and ends the run, as does
    closing the iterator; calls that are under way end first.
    """

    def __init__(self, *stages, in_flight=4):
        if not stages or not all(callable(stage) for stage in stages):
            raise _wrong(f"{len(stages)} stages, of which each must be callable")
        if not isinstance(in_flight, int) or in_flight < 1:
            raise _wrong(f"in_flight is {in_flight!r}, it counts frames from 1 on")
        self.stages = stages
        self.in_flight = in_flight

    def __call__(self, frames):
        return _Run(self, iter(frames)).results()


def _wrong(what):
    return OpkitError(
        "OPK-PYTHON-004", what, action="opkit.Pipeline(before, model, after, in_flight=4)"
    )


class _Run:
    def __init__(self, pipeline, frames):
        self._frames = frames
        self._room = threading.Semaphore(pipeline.in_flight)
        self._over = threading.Event()
        self._between = [queue.SimpleQueue() for _ in range(len(pipeline.stages) + 1)]
        works = [(self._feed, ())]
        works += [(self._work, (i, stage)) for i, stage in enumerate(pipeline.stages)]
        self._threads = [
            threading.Thread(target=work, args=args, daemon=True) for work, args in works
        ]

    def results(self):
        for thread in self._threads:
            thread.start()
        try:
            while True:
                result = self._between[-1].get()
                if isinstance(result, _End):
                    if result.error is not None:
                        raise result.error
                    return
                self._room.release()
                yield result
        finally:
            self._stop()

    def _stop(self):
        self._over.set()
        self._room.release()
        for waiting in self._between:
            waiting.put(_End())
        for thread in self._threads:
            thread.join()

    def _feed(self):
        into = self._between[0]
        try:
            while True:
                self._room.acquire()
                if self._over.is_set():
                    return
                into.put(next(self._frames))
        except StopIteration:
            into.put(_End())
        except BaseException as error:  # whatever it is, the caller must see it
            into.put(_End(error))

    def _work(self, place, stage):
        before, behind = self._between[place], self._between[place + 1]
        while not self._over.is_set():
            item = before.get()
            if isinstance(item, _End):
                return behind.put(item)
            try:
                behind.put(stage(*item) if isinstance(item, tuple) else stage(item))
            except BaseException as error:
                return behind.put(_End(error))
