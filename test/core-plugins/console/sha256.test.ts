import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'

interface Module {
  readonly Sha256: new () => { update(bytes: Uint8Array): void; digest(): string }
}

// Not by its name: it has the types of a browser, which the tests have not.
const file = new URL('../../../core-plugins/console/web/files/sha256.ts', import.meta.url).href

describe('the hash of a file that is read piece by piece', () => {
  let Sha256: Module['Sha256']
  before(async () => {
    ;({ Sha256 } = (await import(file)) as Module)
  })

  it('is SHA-256, of every length around a block, however the pieces are cut', () => {
    const lengths = [...Array.from({ length: 200 }, (_, length) => length), 1_000_003]
    for (const length of lengths) {
      const bytes = randomBytes(length)
      const hash = new Sha256()
      for (let at = 0, step = 1; at < length; at += step, step = (step * 7 + 3) % 131) {
        step = Math.max(1, step)
        hash.update(bytes.subarray(at, at + step))
      }
      assert.equal(hash.digest(), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`)
    }
  })
})
