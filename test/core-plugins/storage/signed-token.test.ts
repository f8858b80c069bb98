import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { openToken, signToken } from '../../../core-plugins/storage/signed-token.ts'

describe('the token of a link to a file', () => {
  const key = randomBytes(32)
  const id = randomUUID()
  const now = Date.now()
  const token = signToken(key, id, now + 60_000)
  const refused = { code: 4032 }

  it('names its file until its moment, and not after it', () => {
    assert.equal(openToken(key, token, now), id)
    assert.throws(() => openToken(key, token, now + 62_000), refused)
  })

  it('names nothing where any of it was changed, or another key made it', () => {
    const bytes = Buffer.from(token, 'base64url')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ 1
      assert.throws(() => openToken(key, changed.toString('base64url'), now), refused, String(at))
    }
    assert.throws(() => openToken(randomBytes(32), token, now), refused)
  })
})
