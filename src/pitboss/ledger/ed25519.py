"""Ed25519 as in RFC 8032, section 5.1, in plain Python: a few milliseconds for a signature, enough for one a second.

Not constant in time: it signs heads of the ledger in a thread of its own, and nobody outside can time it.
"""

from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
KEY_BYTES = 32
SIGNATURE_BYTES = 64

Point = tuple[int, int, int, int]
"""Extended homogeneous coordinates X, Y, Z, T with x = X/Z, y = Y/Z and xy = T/Z."""
NEUTRAL: Point = (0, 1, 1, 0)


def public_key(secret: bytes) -> bytes:
    """The public key of a secret of 32 bytes."""
    return _packed(_times(_expanded(secret)[0], BASE))


def sign(secret: bytes, message: bytes) -> bytes:
    scalar, prefix = _expanded(secret)
    public = _packed(_times(scalar, BASE))
    nonce = _number(prefix, message)
    commitment = _packed(_times(nonce, BASE))
    answer = (nonce + _number(commitment, public, message) * scalar) % L
    return commitment + answer.to_bytes(32, "little")


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    key, commitment = _unpacked(public), _unpacked(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or answer >= L:
        return False
    challenge = _number(signature[:32], public, message)
    return _same(_times(answer, BASE), _sum(commitment, _times(challenge, key)))


def _expanded(secret: bytes) -> tuple[int, bytes]:
    if len(secret) != KEY_BYTES:
        raise ValueError("a secret key has 32 bytes")
    digest = sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & ((1 << 254) - 8) | (1 << 254), digest[32:]


def _number(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % L


def _sum(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(scalar: int, point: Point) -> Point:
    result = NEUTRAL
    while scalar:
        if scalar & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        scalar >>= 1
    return result


def _same(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def _root(y: int, sign: int) -> int | None:
    """The x of a point with this y, of the given parity."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def _packed(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _unpacked(data: bytes) -> Point | None:
    number = int.from_bytes(data, "little")
    y = number & ((1 << 255) - 1)
    x = _root(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


_Y = 4 * pow(5, P - 2, P) % P
_X = _root(_Y, 0)
assert _X is not None
BASE: Point = (_X, _Y, 1, _X * _Y % P)
