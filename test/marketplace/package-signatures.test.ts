import { deepEqual, ok } from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { join } from 'node:path'
import { createSigningKey, openPackage, packPlugin, signPackage, verifyPackage, verifyRelease } from '#marketplace'
import type { OpenedPackage, PackageSignature, SigningKey, TrustedKey } from '#marketplace'
import { refusalOf } from './package-refusal.ts'
import { makeScratch } from './sample-package.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')
const acme = createSigningKey('acme-2026a')
const trusts = (key: SigningKey, changes: Partial<TrustedKey> = {}) => ({
  findKey: (kid: string) =>
    Promise.resolve<TrustedKey | undefined>(
      kid === key.kid ? { kid, publicKey: key.publicKey, publisher: 'acme', level: 'verified', ...changes } : undefined,
    ),
})

describe('the signature of a package', () => {
  let opened: OpenedPackage
  let signature: PackageSignature

  before(async () => {
    await using scratch = await makeScratch()
    const packed = await packPlugin(guestbook, { out: join(scratch.path, 'pkg.zip'), sign: acme })
    opened = await openPackage(packed.file, join(scratch.path, 'tree'))
    ok(opened.signature)
    signature = opened.signature
  })

  const forge = (changes: Partial<PackageSignature>) => ({ ...opened, signature: { ...signature, ...changes } })
  const flip = (text: string) => {
    const bytes = Buffer.from(text, 'base64')
    bytes[10] = (bytes[10] ?? 0) ^ 1
    return bytes.toString('base64')
  }

  /** S + L in place of S, which RFC 8032 forbids (5.1.7). */
  const respelt = (text: string) => {
    const bytes = Buffer.from(text, 'base64')
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
    const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
    return Buffer.concat([
      bytes.subarray(0, 32),
      Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse(),
    ]).toString('base64')
  }
  /** The neutral point: 1, then zeros. */
  const smallOrder = Buffer.from([1, ...new Uint8Array(31)]).toString('base64url')

  it('holds for the publisher’s key, with the level of that key', async () => {
    const { level, kid, statement } = await verifyPackage(opened, trusts(acme))
    deepEqual([level, kid, statement?.treeHash], ['verified', 'acme-2026a', opened.treeHash])
  })

  it('may be absent: the package is unsigned then', async () => {
    const { level, kid } = await verifyPackage({ ...opened, signature: undefined }, trusts(acme))
    deepEqual([level, kid], ['unsigned', undefined])
  })

  const tampered: Readonly<Record<string, [rule: string, verify: () => Promise<unknown>]>> = {
    'by a key nobody knows': ['key_unknown', () => verifyPackage(opened, trusts(createSigningKey('other')))],
    'by another key of the same id': ['signature', () => verifyPackage(opened, trusts(createSigningKey('acme-2026a')))],
    'by the key of another publisher': ['publisher', () => verifyPackage(opened, trusts(acme, { publisher: 'other' }))],
    'with a changed statement': [
      'signature',
      () => verifyPackage(forge({ payload: flip(signature.payload) }), trusts(acme)),
    ],
    'with a changed signature': ['signature', () => verifyPackage(forge({ sig: flip(signature.sig) }), trusts(acme))],
    'in a second spelling, beyond the order of the group': [
      'signature',
      () => verifyPackage(forge({ sig: respelt(signature.sig) }), trusts(acme)),
    ],
    'by a key of small order, which signs everything': [
      'key_weak',
      () => verifyPackage(opened, trusts({ ...acme, publicKey: smallOrder })),
    ],
    'over another version': [
      'identity',
      () => verifyPackage({ ...opened, manifest: { ...opened.manifest, version: '9.9.9' } }, trusts(acme)),
    ],
    'over a file that has changed': [
      'files',
      () =>
        verifyPackage(
          { ...opened, files: opened.files.map((file, index) => (index ? file : { ...file, sha256: '0'.repeat(64) })) },
          trusts(acme),
        ),
    ],
    'over a file less': ['files', () => verifyPackage({ ...opened, files: opened.files.slice(1) }, trusts(acme))],
    'over a file more': [
      'files',
      () =>
        verifyPackage(
          { ...opened, files: [...opened.files, { path: 'ui/evil.js', size: 1, sha256: '0'.repeat(64) }] },
          trusts(acme),
        ),
    ],
  }
  for (const [name, [rule, verify]] of Object.entries(tampered)) {
    it(`is refused ${name}`, async () => {
      const refusal = await refusalOf(verify())
      deepEqual([refusal.code, refusal.reason, refusal.details], [4009, 'package_signature_invalid', { rule }])
    })
  }

  it('holds for the release it was made for, and for no other', async () => {
    const { name, version } = opened.manifest
    const release = { name, version, treeHash: opened.treeHash, signature }
    const { level, statement } = await verifyRelease(release, trusts(acme))
    deepEqual([level, Object.keys(statement.files).length], ['verified', opened.files.length - 1])
    const others: Readonly<Record<string, object>> = {
      identity: { treeHash: '0'.repeat(64) },
      form: { signature: { ...signature, alg: 'none' } },
      signature: { signature: { ...signature, payload: flip(signature.payload) } },
    }
    for (const [rule, change] of Object.entries(others)) {
      const refusal = await refusalOf(verifyRelease({ ...release, ...change }, trusts(acme)))
      deepEqual([refusal.code, refusal.details], [4009, { rule }])
    }
  })

  it('holds for no other name or version of the same files, nor without the words that say what was signed', async () => {
    const { name, version } = opened.manifest
    const release = { name, version, treeHash: opened.treeHash, signature }
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: acme.publicKey, d: acme.privateKey }
    const bare = sign(null, Buffer.from(signature.payload, 'base64'), createPrivateKey({ key: jwk, format: 'jwk' }))
    const others: readonly [string, object][] = [
      ['identity', { version: '9.9.9' }],
      ['identity', { name: 'acme.other' }],
      ['signature', { signature: { ...signature, sig: bare.toString('base64') } }],
    ]
    for (const [rule, change] of others) {
      const refusal = await refusalOf(verifyRelease({ ...release, ...change }, trusts(acme)))
      deepEqual([refusal.code, refusal.details], [4009, { rule }])
    }
  })

  it('is given to an upload by the site’s own key', async () => {
    const site = createSigningKey('site')
    const countersigned = { ...opened, signature: signPackage(opened, site) }
    const { level, kid } = await verifyPackage(countersigned, trusts(site, { publisher: undefined, level: 'local' }))
    deepEqual([level, kid], ['local', 'site'])
  })

  it('says how far the site trusts a release, and nothing of the kind from a publisher', async () => {
    const site = createSigningKey('site')
    const { name, version } = opened.manifest
    const signed = (key: SigningKey) => signPackage(opened, key, { trust: 'official' })
    const release = { name, version, treeHash: opened.treeHash }
    const local = trusts(site, { publisher: undefined, level: 'local' })
    deepEqual((await verifyRelease({ ...release, signature: signed(site) }, local)).level, 'official')
    deepEqual((await verifyRelease({ ...release, signature: signPackage(opened, site) }, local)).level, 'local')
    for (const verified of [
      verifyRelease({ ...release, signature: signed(acme) }, trusts(acme)),
      verifyPackage({ ...opened, signature: signed(acme) }, trusts(acme)),
      verifyPackage({ ...opened, signature: signed(site) }, local),
    ])
      deepEqual((await refusalOf(verified)).details, { rule: 'trust' })
  })
})
