# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, by name."""


class InputError(ValueError):
    """Model, options or arguments break a rule; the message says where, which and what to do."""


class FileError(OSError):
    """A file could not be read or written."""
