const P = 2n ** 255n - 19n
const keyBytes = 32
const D = divide(-121_665n, 121_666n)

/** What was found of the keys that were asked about lately: the same few sign everything. */
const found = new Map<string, boolean>()
const mostFound = 256

/**
 * Whether a public key is a point of small order on edwards25519 (RFC 8032, section 5.1), for which one signature fits many
 * texts or all, or is written in a way of its own. No honest key is. 32 bytes as base64url.
 */
export function isWeakKey(publicKey: string): boolean {
  const known = found.get(publicKey)
  if (known !== undefined) return known
  if (found.size === mostFound) found.clear()
  const isWeak = isOfSmallOrder(publicKey)
  found.set(publicKey, isWeak)
  return isWeak
}

function isOfSmallOrder(publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, 'base64url')
  if (bytes.length !== keyBytes) return true
  const y = BigInt(`0x${bytes.reverse().toString('hex')}`) & (2n ** 255n - 1n)
  if (y >= P) return true
  // With the square of x, doubling takes no root: the eightfold of such a point is the neutral one, (0, 1).
  let point = { xx: divide(y * y - 1n, D * y * y + 1n), y }
  for (let times = 0; times < 3; times++) point = double(point)
  return point.xx === 0n && point.y === 1n
}

function double({ xx, y }: { readonly xx: bigint; readonly y: bigint }): { readonly xx: bigint; readonly y: bigint } {
  const yy = y * y
  return { xx: divide(4n * xx * yy, (yy - xx) ** 2n), y: divide(yy + xx, 2n - yy + xx) }
}

function divide(a: bigint, b: bigint): bigint {
  return modulo(a * power(b, P - 2n))
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = modulo(base), rest = exponent; rest > 0n; rest >>= 1n, square = modulo(square * square))
    if (rest & 1n) result = modulo(result * square)
  return result
}

function modulo(value: bigint): bigint {
  return ((value % P) + P) % P
}
