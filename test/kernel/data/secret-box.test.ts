// @both-back-ends
import assert from 'node:assert/strict'
import { openFernet, parseFernetKey } from '../../../kernel/data/fernet.ts'
import { createSecretBox, generateFernetKey } from '../../../kernel/data/secret-box.ts'

const appSecret = 'x'.repeat(32)

describe('secret box', () => {
  // From github.com/fernet/spec, verify.json and generate.json.
  it('opens the token of the specification', () => {
    const key = parseFernetKey('cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=')
    const token = 'gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA=='
    assert.ok(key)
    assert.deepEqual(openFernet(key, token), { content: Buffer.from('hello'), seconds: 499162800 })
  })

  it('opens what it sealed, with whichever key of the ring, and never seals alike', () => {
    const [old, fresh] = [generateFernetKey(), generateFernetKey()]
    const before = createSecretBox({ fernetKeys: [old], appSecret })
    const after = createSecretBox({ fernetKeys: [fresh, old], appSecret })
    const token = before.seal('gehëim')
    assert.notEqual(token, before.seal('gehëim'))
    assert.deepEqual([before.open(token), after.open(token)], ['gehëim', 'gehëim'])
    assert.throws(() => before.open(after.seal('x')), { code: 5005, reason: 'decrypt_failed' })
  })

  it('opens what was sealed for a place there and nowhere else, with whichever key of the ring', () => {
    const [old, fresh] = [generateFernetKey(), generateFernetKey()]
    const before = createSecretBox({ fernetKeys: [old], appSecret })
    const after = createSecretBox({ fernetKeys: [fresh, old], appSecret })
    const place = ['hooks', '7', 'secret']
    const token = before.sealBound('gehëim', place)
    assert.deepEqual([before.openBound(token, place), after.openBound(token, place)], ['gehëim', 'gehëim'])
    const elsewhere = [['hooks', '8', 'secret'], ['tools', '7', 'secret'], ['hooks', '7'], [...place, ''], []]
    for (const other of elsewhere) assert.throws(() => before.openBound(token, other), { reason: 'decrypt_failed' })
    assert.throws(() => before.openBound(after.sealBound('x', place), place), { reason: 'decrypt_failed' })
  })

  it('rotates to the first key and keeps the time', () => {
    const [old, fresh] = [generateFernetKey(), generateFernetKey()]
    const token = createSecretBox({ fernetKeys: [old], appSecret }).seal('secret')
    const rotated = createSecretBox({ fernetKeys: [fresh, old], appSecret }).rotate(token)
    assert.equal(createSecretBox({ fernetKeys: [fresh], appSecret }).open(rotated), 'secret')
    assert.deepEqual(Buffer.from(rotated, 'base64url').subarray(0, 9), Buffer.from(token, 'base64url').subarray(0, 9))
  })

  it('opens no token that was changed, cut or is none', () => {
    const box = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret })
    const token = box.seal('secret')
    const bytes = Buffer.from(token, 'base64url')
    const changed = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy.toString('base64url')
    })
    for (const wrong of [...changed, token.slice(4), token.slice(0, -8), '', 'plain', `${token}\n`]) {
      assert.throws(() => box.open(wrong), { reason: 'decrypt_failed' }, wrong)
    }
  })

  it("derives a key for each purpose from the application's secret", () => {
    const box = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret })
    const other = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret })
    assert.deepEqual(box.derive('one'), other.derive('one'))
    assert.notDeepEqual(box.derive('one'), box.derive('two'))
    assert.deepEqual([box.derive('one').length, box.derive('one', 64).length], [32, 64])
  })

  it('refuses a ring that is empty or holds what is no key', () => {
    for (const fernetKeys of [[], ['short'], [generateFernetKey(), 'a'.repeat(45)]]) {
      assert.throws(() => createSecretBox({ fernetKeys, appSecret }), { name: 'ProgrammingError' })
    }
  })
})
