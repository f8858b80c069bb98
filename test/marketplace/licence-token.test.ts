import assert from 'node:assert/strict'
import {
  createSigningKey,
  LicenseInvalidError,
  readLicence,
  signLicence,
  siteIdOf,
  verifyLicence,
  type Licence,
} from '#marketplace'
import { sampleLicence, signText, wrongMembers } from './licence-forgeries.ts'

/** The order of the group, which a signature's second half must be below. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n

describe('licence tokens', () => {
  const key = createSigningKey('acme-lic')
  const other = createSigningKey('acme-lic')
  const token = signText(JSON.stringify(sampleLicence()), key)
  const [payload = '', sig = ''] = token.split('.')
  const verify = (text: string) => verifyLicence(text, () => Promise.resolve(key.publicKey))
  const rule = (wanted: string) => (error: unknown) => {
    assert.ok(error instanceof LicenseInvalidError)
    assert.equal(error.code, 4002)
    return error.details?.['rule'] === wanted
  }

  it('say what was signed', async () => {
    const licence = sampleLicence({ tenants: undefined, seats: 3, exp: null })
    const plain = JSON.parse(JSON.stringify(licence)) as Licence
    const made = signLicence(plain, key)
    assert.deepEqual(await verify(made), plain)
    assert.deepEqual(readLicence(made), plain)
  })

  it('of nobody’s key, or of one under the same id, are refused', async () => {
    await assert.rejects(
      verifyLicence(token, () => Promise.resolve(undefined)),
      rule('key'),
    )
    await assert.rejects(verify(signText(JSON.stringify(sampleLicence()), other)), rule('signature'))
    assert.throws(() => signLicence(sampleLicence({ kid: 'other' }) as unknown as Licence, key), rule('key'))
  })

  it('signed as something else, or with another text, are refused', async () => {
    for (const domain of ['', 'plugin-statement-v1\n', 'plugin-license-v2\n', 'plugin-license-v1'])
      await assert.rejects(verify(signText(JSON.stringify(sampleLicence()), key, domain)), rule('signature'))
    const longer = Buffer.from(JSON.stringify(sampleLicence({ grace: 90 }))).toString('base64url')
    await assert.rejects(verify(`${longer}.${sig}`), rule('signature'))
    await assert.rejects(verify(`${payload}.${'A'.repeat(86)}`), rule('signature'))
  })

  it('whose signature is another spelling of the same numbers are refused', async () => {
    const bytes = Buffer.from(sig, 'base64url')
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L
    const high = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
    const malleable = Buffer.concat([bytes.subarray(0, 32), high]).toString('base64url')
    await assert.rejects(verify(`${payload}.${malleable}`), rule('signature'))
    // The last character carries four bits that mean nothing.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet[alphabet.indexOf(sig.slice(-1)) ^ 1] ?? ''
    await assert.rejects(verify(`${payload}.${sig.slice(0, -1)}${last}`), rule('form'))
  })

  it('in any other form are refused', async () => {
    const forms = [
      ...['', '.', 'a.b', payload, `${payload}.`, `.${sig}`, `${token}.`, `${token}.${sig}`, ` ${token}`, `${token}\n`],
      ...[
        `${payload}==.${sig}`,
        `${payload}.${sig}==`,
        token.replace('.', '/'),
        `${payload}.${sig}A`,
        `eyJhbGciOiJub25lIn0.${token}`,
      ],
      ...['{', '[]', 'null', '"a"', '{"v":1}'].map((text) => signText(text, key)),
      signText(Buffer.from([0xff, 0xfe, 0x7b]), key),
      signText(`\ufeff${JSON.stringify(sampleLicence())}`, key),
      signText(`${JSON.stringify(sampleLicence()).slice(0, -1)},"grace":90}`, key),
      signText(`${JSON.stringify(sampleLicence()).slice(0, -1)},"gr\\u0061ce":90}`, key),
      signText(JSON.stringify(sampleLicence({ jti: 'a'.repeat(20_000) })), key),
      signText('['.repeat(5_000) + ']'.repeat(5_000), key),
    ]
    for (const form of forms) await assert.rejects(verify(form), rule('form'), form.slice(0, 60))
  })

  for (const [what, members] of Object.entries(wrongMembers)) {
    it(`with ${what} are refused, whoever signed them`, async () => {
      await assert.rejects(verify(signText(JSON.stringify(sampleLicence(members)), key)), rule('form'))
    })
  }

  it('name a site by its key', () => {
    assert.match(siteIdOf(key.publicKey), /^site-[0-9a-f]{32}$/)
    assert.equal(siteIdOf(key.publicKey), siteIdOf(key.publicKey))
    assert.notEqual(siteIdOf(key.publicKey), siteIdOf(other.publicKey))
  })
})
