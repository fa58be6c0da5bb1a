"""Bytes to pages, one module a family of formats.

All extractors keep one promise: what can be read is yielded, and only then is a ``ReadError``
raised that says what is missing. A caller keeps the pages it got before.
"""
