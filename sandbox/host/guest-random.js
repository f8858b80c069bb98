import { floor, IntrinsicUint32Array, IntrinsicUint8Array, slice, toRadix } from './guest-intrinsics.js'

const state = new IntrinsicUint32Array(16)
const pool = new IntrinsicUint8Array(64)
const pad = '0'
let used = 64

/** Keys the generator, once for each context, with 40 bytes in hex from the host. */
export function seed(hex) {
  const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
  for (let index = 0; index < 4; index++) state[index] = constants[index]
  const word = (index) => ('0x' + slice(hex, index * 8, index * 8 + 8)) >>> 0
  for (let index = 0; index < 8; index++) state[4 + index] = word(index)
  state[14] = word(8)
  state[15] = word(9)
}

function quarter(x, a, b, c, d) {
  const rotate = (value, bits) => (value << bits) | (value >>> (32 - bits))
  x[a] += x[b]
  x[d] = rotate(x[d] ^ x[a], 16)
  x[c] += x[d]
  x[b] = rotate(x[b] ^ x[c], 12)
  x[a] += x[b]
  x[d] = rotate(x[d] ^ x[a], 8)
  x[c] += x[d]
  x[b] = rotate(x[b] ^ x[c], 7)
}

/** One block of ChaCha20: unpredictable to others, and without a way into the host for every id. */
function refill() {
  const x = new IntrinsicUint32Array(16)
  for (let index = 0; index < 16; index++) x[index] = state[index]
  for (let round = 0; round < 10; round++) {
    for (let column = 0; column < 4; column++) quarter(x, column, 4 + column, 8 + column, 12 + column)
    for (let column = 0; column < 4; column++)
      quarter(x, column, 4 + ((column + 1) % 4), 8 + ((column + 2) % 4), 12 + ((column + 3) % 4))
  }
  for (let index = 0; index < 64; index++) {
    const word = index >>> 2
    pool[index] = (x[word] + state[word]) >>> ((index & 3) * 8)
  }
  state[12]++
  if (state[12] === 0) state[13]++
  used = 0
}

function byte() {
  if (used === 64) refill()
  return pool[used++]
}

/** So many random bytes, 65,536 at most. */
export function randomBytes(length) {
  const count = floor(length)
  if (!(count >= 0 && count <= 65_536)) throw new RangeError('randomBytes gives 0 to 65536 bytes')
  const bytes = new IntrinsicUint8Array(count)
  for (let index = 0; index < count; index++) bytes[index] = byte()
  return bytes
}

/** A random UUID, version 4. */
export function id() {
  let result = ''
  for (let index = 0; index < 16; index++) {
    let value = byte()
    if (index === 6) value = (value & 0x0f) | 0x40
    if (index === 8) value = (value & 0x3f) | 0x80
    if (index === 4 || index === 6 || index === 8 || index === 10) result += '-'
    result += (value < 16 ? pad : '') + toRadix(value, 16)
  }
  return result
}
