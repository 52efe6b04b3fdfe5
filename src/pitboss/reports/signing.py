"""Detached signatures of files: Ed25519, raw in ``FILE.sig``, with keys as PEM, so that OpenSSL can check them too."""

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from pitboss.findings import UnreadableError

LARGEST_KEY = 10_000
"""Bytes that are read of a key or a signature; a PEM of Ed25519 has about a hundred, a signature 64."""


def signature_path(file: Path) -> Path:
    """The file of a signature beside what it signs."""
    return file.with_name(f"{file.name}.sig")


def public_path(key: Path) -> Path:
    """The file of a public key beside its private key."""
    return key.with_name(f"{key.name}.pub")


def new_pair(path: Path) -> None:
    """Write a private key that only its owner can read, and its public key. Raise ``OSError`` if a file is there."""
    private = Ed25519PrivateKey.generate()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with public_path(path).open("xb") as file:
        file.write(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def read_private(path: Path) -> Ed25519PrivateKey:
    """Raise ``UnreadableError`` for anything but an unencrypted private key of Ed25519."""
    try:
        key = load_pem_private_key(_read(path), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise UnreadableError(f"{path} is no private Ed25519 key; pitboss signature new makes one.")
    return key


def read_public(path: Path) -> Ed25519PublicKey:
    """Raise ``UnreadableError`` for anything but a public key of Ed25519."""
    try:
        key = load_pem_public_key(_read(path))
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise UnreadableError(f"{path} is no public Ed25519 key.")
    return key


def signed(private: Ed25519PrivateKey, content: bytes) -> bytes:
    """The signature of a file's bytes."""
    return private.sign(content)


def check(file: Path, public: Path) -> str:
    """What is wrong with a signed file, in a sentence; empty if it is what was signed."""
    beside = signature_path(file)
    if not beside.exists():
        return f"{beside} is missing: {file} isn't signed."
    try:
        read_public(public).verify(_read(beside), file.read_bytes())
    except InvalidSignature:
        return (
            f"{file} isn't what was signed with the private key to {public}: it was changed, or another key signed it."
        )
    return ""


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_KEY)
