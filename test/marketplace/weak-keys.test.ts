import { deepEqual } from 'node:assert/strict'
import { createSigningKey } from '#marketplace'
import { isWeakKey } from '../../marketplace/package/weak-keys.ts'

/** Every point of small order on edwards25519, in every way it can be written, and a point of large order written in a way of its own. */
const weak = [
  ...['01' + '00'.repeat(31), '01' + '00'.repeat(30) + '80'],
  ...['ec' + 'ff'.repeat(30) + '7f', 'ec' + 'ff'.repeat(31)],
  ...['00'.repeat(32), '00'.repeat(31) + '80'],
  ...['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'],
  ...['26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'],
  ...['c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'],
  ...['c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'],
  ...['ed' + 'ff'.repeat(30) + '7f', 'ed' + 'ff'.repeat(31)],
  ...['ee' + 'ff'.repeat(30) + '7f', 'ee' + 'ff'.repeat(31)],
  ...['f0' + 'ff'.repeat(30) + '7f'],
]

describe('a public key', () => {
  it('is weak where it is of small order, or is not written as it should be', () => {
    const keyOf = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')
    deepEqual(
      weak.filter((hex) => !isWeakKey(keyOf(hex))),
      [],
    )
    deepEqual(['', keyOf('01'.repeat(31)), keyOf('01'.repeat(33))].map(isWeakKey), [true, true, true])
  })

  it('is not where it is an honest one', () => {
    const honest = Array.from({ length: 10 }, (_, at) => createSigningKey(`key-${at}`).publicKey)
    deepEqual(honest.filter(isWeakKey), [])
  })
})
