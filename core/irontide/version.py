"""The version of the engine, and of the API that plugins are written for."""

__version__ = "0.1.0"

API_VERSION = 1
"""Raised when plugins written for the version before no longer work."""

LOG_FORMAT = 1
"""Raised when logs get another form; event types have versions of their own."""
