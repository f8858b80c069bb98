import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { canonicalOf } from '../../../core-plugins/attachments/access/canonical.ts'
import { expiryOf, Signer } from '../../../core-plugins/attachments/access/signer.ts'

const now = Date.UTC(2026, 10, 23, 8, 0, 1)
const seconds = Math.floor(now / 1000)
const attachment = { id: '019ac000-0000-7000-8000-000000000001', tenantId: 7 }
const of = (appSecret: string, appSecretPrevious?: string): Signer =>
  new Signer({ appSecret: appSecret.padEnd(32, '.'), appSecretPrevious: appSecretPrevious?.padEnd(32, '.') })

describe('the signature of an attachment', () => {
  const signer = of('one')
  const exp = expiryOf(3600, now)
  const canonical = canonicalOf({ f: 'webp', w: 400 })
  const sign = signer.sign('image', attachment, exp, canonical)

  it('is good for exactly what was signed, until then', () => {
    const isGood = (change: object, op: 'access' | 'image' = 'image', of = attachment, at = now): boolean =>
      signer.isValid(op, of, { exp, sign, canonical, ...change }, at)
    assert.equal(isGood({}), true)
    const refused = {
      exp: isGood({ exp: exp + 1 }),
      canonical: isGood({ canonical: 'w=401&f=webp' }),
      none: isGood({ canonical: '' }),
      op: isGood({}, 'access'),
      id: isGood({}, 'image', { ...attachment, id: attachment.id.replace(/1$/, '2') }),
      tenant: isGood({}, 'image', { ...attachment, tenantId: 8 }),
      empty: isGood({ sign: '' }),
      shorter: isGood({ sign: sign.slice(0, -1) }),
      padded: isGood({ sign: `${sign}=` }),
      late: isGood({}, 'image', attachment, exp * 1000),
    }
    assert.deepEqual(
      Object.entries(refused).filter(([, passed]) => passed),
      [],
    )
  })

  it('is good for a week ahead at most', () => {
    const far = seconds + 7 * 86_400 + 1
    const signed = signer.sign('access', attachment, far, '')
    assert.equal(signer.isValid('access', attachment, { exp: far, sign: signed, canonical: '' }, now), false)
    assert.equal(expiryOf(7 * 86_400, now) <= seconds + 7 * 86_400, true)
  })

  it('ends with a window, so that links within one are equal', () => {
    assert.deepEqual([exp % 900, exp - 900 < seconds + 3600, exp >= seconds + 3600], [0, true, true])
    assert.equal(expiryOf(3600, (exp - 3600) * 1000), exp)
    assert.equal(expiryOf(3600, (exp - 3600 - 899) * 1000), exp)
    assert.equal(expiryOf(3600, (exp - 3600 + 1) * 1000), exp + 900)
  })

  it('of the secret before is good while that one is known', () => {
    const wanted = { exp, sign, canonical }
    assert.deepEqual(
      [of('two', 'one'), of('two')].map((later) => later.isValid('image', attachment, wanted, now)),
      [true, false],
    )
    assert.notEqual(of('two', 'one').sign('image', attachment, exp, canonical), sign)
  })

  it('covers parameters in one order, and only those that are there', () => {
    assert.equal(canonicalOf({ preview: true, p: 'thumb', q: 80, h: 2, w: 1 }), 'w=1&h=2&q=80&p=thumb&preview=true')
    assert.equal(canonicalOf({}), '')
  })
})
