"""Sine, cosine, arc tangent, arc cosine, exponential and logarithm of float64 from `+ - * /`, `floor`, `sqrt` and
powers of two: the same bits everywhere.

The C library's and NumPy's own versions differ between processors and releases in the last bits. The polynomials are
those of Sun's fdlibm (`k_sin.c`, `k_cos.c`, `s_atan.c`, `e_acos.c`, `e_exp.c`, `e_log.c`); the reduction by pi/2 is
Cody and Waite's in three parts (*Software Manual for the Elementary Functions*, 1980).
"""

import math

import numpy as np

from anim.kernel import kernel

PI = 3.141592653589793
"""Pi, rounded to float64."""

LARGEST_ANGLE = 1.0e5
"""Radians up to which `sin` and `cos` keep their error below two units in the last place.

Past it they lose digits slowly.
"""

# pi/2 in parts whose products with a whole number of up to 20 bits are exact; the last one holds what is left.
_HALF_PI_HIGH = float.fromhex("0x1.921fb544p+0")
_HALF_PI_MIDDLE = float.fromhex("0x1.0b4611a6p-34")
_HALF_PI_LOW = float.fromhex("0x1.3198a2e037073p-69")
_TWO_OVER_PI = 0.6366197723675814

_PI_LOW = 1.2246467991473532e-16
_HALF_PI = 1.5707963267948966
_HALF_PI_LOW_WORD = 6.123233995736766e-17

# ln 2 in two parts: the first one's product with an exponent is exact.
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_ONE_OVER_LN2 = 1.4426950408889634
_ROOT_HALF = 0.7071067811865476


@kernel
def sin(angle: float) -> float:
    """Return the sine of an angle in radians; error below two units in the last place up to `LARGEST_ANGLE`."""
    quadrant, high, low = _reduce(angle)
    if quadrant == 0.0:
        return _sin_near_zero(high, low)
    if quadrant == 1.0:
        return _cos_near_zero(high, low)
    if quadrant == 2.0:
        return -_sin_near_zero(high, low)
    return -_cos_near_zero(high, low)


@kernel
def cos(angle: float) -> float:
    """Return the cosine of an angle in radians; error below two units in the last place up to `LARGEST_ANGLE`."""
    quadrant, high, low = _reduce(angle)
    if quadrant == 0.0:
        return _cos_near_zero(high, low)
    if quadrant == 1.0:
        return -_sin_near_zero(high, low)
    if quadrant == 2.0:
        return -_cos_near_zero(high, low)
    return _sin_near_zero(high, low)


@kernel
def atan2(y: float, x: float) -> float:
    """Return the angle of the point (x, y) in radians, in [-pi, pi]; error below two units in the last place.

    The origin gives 0, whatever the signs of its zeros. Both arguments are finite.
    """
    if x == 0.0 and y == 0.0:
        return 0.0
    across, along = abs(y), abs(x)
    if across <= along:
        angle = _atan(across / along)
        if x < 0.0:
            angle = PI - (angle - _PI_LOW)
    else:
        # The far octant is measured from the y axis, where the quotient stays below one.
        angle = _atan(along / across)
        angle = _HALF_PI + (angle + _HALF_PI_LOW_WORD) if x < 0.0 else _HALF_PI - (angle - _HALF_PI_LOW_WORD)
    return -angle if y < 0.0 else angle


@kernel
def acos(cosine: float) -> float:
    """Return the angle in [0, pi] whose cosine is given; error below two units in the last place.

    A cosine outside [-1, 1], as rounding leaves it, counts as the nearer end.
    """
    if cosine >= 1.0:
        return 0.0
    if cosine <= -1.0:
        return PI
    if cosine < -0.5:
        z = (1.0 + cosine) * 0.5
        s = math.sqrt(z)
        return PI - 2.0 * (s + (_asin_excess(z) * s - _HALF_PI_LOW_WORD))
    if cosine < 0.5:
        z = cosine * cosine
        return _HALF_PI - (cosine - (_HALF_PI_LOW_WORD - cosine * _asin_excess(z)))
    z = (1.0 - cosine) * 0.5
    s = math.sqrt(z)
    # The root's rounding error is recovered from its upper half, whose square is exact.
    head = _upper_half(s)
    tail = (z - head * head) / (s + head)
    return 2.0 * (head + (_asin_excess(z) * s + tail))


@kernel
def exp(x: float) -> float:
    """Return e to the power of x; error below one unit in the last place.

    Above 709.78 it is infinite, below -745.14 it is 0; in between but under 1e-308 it has fewer digits.
    """
    if x > 709.782712893384:
        return math.inf
    if x < -745.1332191019412:
        return 0.0
    twos = np.floor(x * _ONE_OVER_LN2 + 0.5)
    high, low = x - twos * _LN2_HIGH, twos * _LN2_LOW
    r = high - low
    z = r * r
    c = r - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z * (6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08))
        )
    )
    return math.ldexp(1.0 - ((low - (r * c) / (2.0 - c)) - high), int(twos))


@kernel
def log(x: float) -> float:
    """Return the natural logarithm of x, 0 or more and finite; error below one unit in the last place.

    That of 0 is minus infinity.
    """
    if x == 0.0:
        return -math.inf
    fraction, exponent = math.frexp(x)
    if fraction < _ROOT_HALF:
        fraction, exponent = 2.0 * fraction, exponent - 1
    f, twos = fraction - 1.0, float(exponent)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01))
    even = z * (
        6.666666666666735130e-01
        + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    half = 0.5 * f * f
    return twos * _LN2_HIGH - ((half - (s * (half + (odd + even)) + twos * _LN2_LOW)) - f)


@kernel
def sin_acute(angle: float) -> float:
    """Return the sine of an angle in [0, pi/2] without a branch, which random angles would make the processor guess.

    It is the Taylor series up to the term below rounding at the far end; error below three units in the last place.
    """
    z = angle * angle
    return angle + angle * z * (
        -1.6666666666666666e-01
        + z
        * (
            8.3333333333333332e-03
            + z
            * (
                -1.9841269841269841e-04
                + z
                * (
                    2.7557319223985893e-06
                    + z
                    * (
                        -2.5052108385441720e-08
                        + z
                        * (
                            1.6059043836821613e-10
                            + z * (-7.6471637318198164e-13 + z * (2.8114572543455206e-15 + z * -8.2206352466243295e-18))
                        )
                    )
                )
            )
        )
    )


@kernel
def _reduce(angle: float) -> tuple[float, float, float]:
    """Return the quadrant (0 to 3) and the rest of the angle within it, in [-pi/4, pi/4], as a sum of two floats."""
    turns = np.floor(abs(angle) * _TWO_OVER_PI + 0.5)
    if angle < 0.0:
        turns = -turns
    rest = angle - turns * _HALF_PI_HIGH
    step = turns * _HALF_PI_MIDDLE
    high = rest - step
    low = ((rest - high) - step) - turns * _HALF_PI_LOW
    total = high + low
    return turns - 4.0 * np.floor(turns * 0.25), total, (high - total) + low


@kernel
def _sin_near_zero(x: float, tail: float) -> float:
    """Return sin(x + tail) for |x| at most pi/4."""
    z = x * x
    v = z * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
    )
    return x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-01)


@kernel
def _cos_near_zero(x: float, tail: float) -> float:
    """Return cos(x + tail) for |x| at most pi/4."""
    z = x * x
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + (z * r - x * tail))


@kernel
def _asin_excess(z: float) -> float:
    """Return (asin(x) - x) / x as a function of z = x * x, for z at most 1/4."""
    p = z * (
        1.66666666666666657415e-01
        + z
        * (
            -3.25565818622400915405e-01
            + z
            * (
                2.01212532134862925881e-01
                + z * (-4.00555345006794114027e-02 + z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05))
            )
        )
    )
    q = 1.0 + z * (
        -2.40339491173441421878e00
        + z * (2.02094576023350569471e00 + z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02))
    )
    return p / q


@kernel
def _upper_half(x: float) -> float:
    """Return the upper half of the digits of x (Veltkamp's splitting): its square is exact."""
    scaled = 134217729.0 * x
    return scaled - (scaled - x)


@kernel
def _atan(x: float) -> float:
    """Return the arc tangent of x in [0, 1]."""
    if x < 0.4375:
        return x - x * _atan_deficit(x * x)
    if x < 0.6875:
        high, low, reduced = 4.63647609000806093515e-01, 2.26987774529616870924e-17, (2.0 * x - 1.0) / (2.0 + x)
    else:
        high, low, reduced = 7.85398163397448278999e-01, 3.06161699786838301793e-17, (x - 1.0) / (x + 1.0)
    return high - ((reduced * _atan_deficit(reduced * reduced) - low) - reduced)


@kernel
def _atan_deficit(z: float) -> float:
    """Return (x - atan(x)) / x as a function of z = x * x, for z at most 0.4375 squared."""
    w = z * z
    odd = z * (
        3.33333333333329318027e-01
        + w
        * (
            1.42857142725034663711e-01
            + w
            * (
                9.09088713343650656196e-02
                + w * (6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02))
            )
        )
    )
    even = w * (
        -1.99999999998764832476e-01
        + w
        * (
            -1.11111104054623557880e-01
            + w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))
        )
    )
    return odd + even
