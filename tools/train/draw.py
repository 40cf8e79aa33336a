"""Random numbers that are the same in every version of Python: all come from random.random()."""

import random


class Draw:
    def __init__(self, seed):
        self.generator = random.Random(seed)

    def between(self, least, most):
        return least + (most - least) * self.generator.random()

    def evenly(self, least, most):
        """Evenly on a logarithmic scale."""
        return least * (most / least) ** self.generator.random()

    def whole(self, least, most):
        """Both ends may come."""
        return least + int(self.generator.random() * (most - least + 1))

    def chance(self, probability):
        return self.generator.random() < probability

    def pick(self, choices):
        return choices[self.whole(0, len(choices) - 1)]

    def colour(self, darkest=0.1, brightest=0.9):
        """Any hue, from saturated to grey."""
        hue, value = self.between(0, 6), self.between(darkest, brightest)
        saturation = 0.95 * self.between(0, 1) ** 0.5

        def component(offset):
            k = (offset + hue) % 6
            return value * (1 - saturation * min(max(min(k, 4 - k), 0), 1))

        return component(5), component(3), component(1)

    def grey(self, darkest=0.4, brightest=0.85):
        """Nearly grey."""
        value = self.between(darkest, brightest)
        return tuple(value * self.between(0.92, 1.0) for _ in range(3))
