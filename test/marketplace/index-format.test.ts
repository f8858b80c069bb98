import { deepEqual, equal } from 'node:assert/strict'
import {
  createIndexEntry,
  latestVersion,
  parseCategoriesFile,
  parseIndexFile,
  parseIndexSignature,
  parsePluginFile,
  parsePublishersFile,
  parseRatingsFile,
  parseReviewFile,
  parseRevocationsFile,
  parseRootFile,
} from '#marketplace'
import { created, json, pluginName, samplePlugin, sampleVersion, sha256 } from './index-content.ts'

const hash = sha256(Buffer.from('x'))
const entry = { latest: '1.0.0', updated: created, path: 'p/ac/acme.clock/', sha256: hash, trust: 'verified' }
const index = {
  format: 1,
  sequence: 1,
  generated: created,
  expires: created,
  plugins: { [pluginName]: entry },
  files: {},
}
const key = { kid: 'k', publicKey: 'A'.repeat(43) }
const root = { format: 1, version: 1, created: created, threshold: 1, keys: [key] }
const revoked = { plugin: pluginName, versions: '<1.0.0', severity: 'high', action: 'disable', reason: 'leaks' }
const revocations = { format: 1, plugins: [revoked], keys: [], licenses: [] }
const withEntry = (change: object) => json({ ...index, plugins: { [pluginName]: { ...entry, ...change } } })
const withVersion = (change: object) => json(samplePlugin({ versions: [sampleVersion('1.0.0', change)] }))
const name = (name: string) => json({ ...index, plugins: { [name]: entry } })

type Parse = (bytes: Buffer) => unknown
const refused: readonly (readonly [what: string, rule: string, parse: Parse, bytes: Buffer])[] = [
  ['no JSON', 'json', parseIndexFile, Buffer.from('<html>')],
  ['nothing', 'json', parseIndexFile, Buffer.alloc(0)],
  ['bytes that are no UTF-8', 'json', parseIndexFile, Buffer.from([0x7b, 0xff, 0x7d])],
  ['a mark before the text', 'json', parseIndexFile, Buffer.concat([Buffer.from('\ufeff'), json(index)])],
  ['a key given twice', 'json', parseIndexFile, Buffer.from('{"format":1,"format":1}')],
  ['a key given twice, written in another way', 'json', parseIndexFile, Buffer.from('{"format":1,"f\\u006frmat":1}')],
  ['a key that reaches for the prototype', 'json', parseIndexFile, Buffer.from('{"__proto__":{}}')],
  ['deep nesting', 'json', parseIndexFile, Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))],
  ['more bytes than an index has', 'size', parseIndexFile, Buffer.alloc(5 * 1_048_576 + 1, 0x20)],
  ['another format', 'form', parseIndexFile, json({ ...index, format: 2 })],
  ['a sequence below one', 'form', parseIndexFile, json({ ...index, sequence: 0 })],
  ['a sequence with a fraction', 'form', parseIndexFile, json({ ...index, sequence: 1.5 })],
  ['a sequence beyond counting', 'form', parseIndexFile, json({ ...index, sequence: 2 ** 54 })],
  ['a moment that does not exist', 'rule', parseIndexFile, json({ ...index, expires: '2026-13-41T00:00:00Z' })],
  ['a moment of another zone', 'form', parseIndexFile, json({ ...index, expires: '2026-01-01T00:00:00+01:00' })],
  ['a side file nobody knows', 'form', parseIndexFile, json({ ...index, files: { 'evil.json': hash } })],
  ['a name in other letters', 'form', parseIndexFile, name('аcme.clock')],
  ['a name in capitals', 'form', parseIndexFile, name('Acme.clock')],
  ['a name that is a path', 'form', parseIndexFile, name('../acme.clock')],
  ['a name of an object’s own', 'form', parseIndexFile, name('constructor')],
  ['a path above', 'rule', parseIndexFile, withEntry({ path: 'p/../acme.clock/' })],
  ['a path from the top', 'form', parseIndexFile, withEntry({ path: '/etc/' })],
  ['a path that is an address', 'form', parseIndexFile, withEntry({ path: 'https://a.example/' })],
  ['an icon elsewhere', 'rule', parseIndexFile, withEntry({ icon: 'a/nul.png' })],
  ['a version that is none', 'rule', parseIndexFile, withEntry({ latest: '1.0' })],
  ['a version with build metadata', 'rule', parseIndexFile, withEntry({ latest: '1.0.0+x' })],
  ['a hash in capitals', 'form', parseIndexFile, withEntry({ sha256: hash.toUpperCase() })],
  ['trust of this site’s own', 'form', parseIndexFile, withEntry({ trust: 'local' })],
  ['a long title', 'form', parseIndexFile, withEntry({ title: { default: 'x'.repeat(101) } })],
  ['a title without a default', 'form', parseIndexFile, withEntry({ title: { fr: 'x' } })],
  ['a name of another publisher', 'rule', parsePluginFile, json(samplePlugin({ publisher: 'other' }))],
  ['no versions', 'form', parsePluginFile, json(samplePlugin({ versions: [] }))],
  ['too many versions', 'form', parsePluginFile, json({ ...samplePlugin(), versions: Array(1_001).fill({}) })],
  [
    'a version twice',
    'rule',
    parsePluginFile,
    json(samplePlugin({ versions: Array(2).fill(sampleVersion('1.0.0')) as [] })),
  ],
  ['a package above its folder', 'rule', parsePluginFile, withVersion({ url: '../other.zip' })],
  ['a package without encryption', 'rule', parsePluginFile, withVersion({ url: 'http://a.example/x.zip' })],
  ['a package with a password', 'rule', parsePluginFile, withVersion({ url: 'https://u:p@a.example/x.zip' })],
  ['a package of this machine', 'rule', parsePluginFile, withVersion({ url: 'file:///etc/passwd' })],
  ['a package without bytes', 'form', parsePluginFile, withVersion({ size: 0 })],
  ['a key without a signature', 'rule', parsePluginFile, withVersion({ kid: 'k' })],
  ['a file with a strange path', 'form', parsePluginFile, json(samplePlugin({ files: { '../x': hash } }))],
  ['a homepage that acts', 'form', parsePluginFile, json(samplePlugin({ homepage: 'javascript:alert(1)' }))],
  ['a root without keys', 'form', parseRootFile, json({ ...root, keys: [] })],
  ['a root that asks for too many keys', 'rule', parseRootFile, json({ ...root, threshold: 2 })],
  ['a root with one key under two ids', 'rule', parseRootFile, json({ ...root, keys: [key, { ...key, kid: 'l' }] })],
  [
    'a root with one id for two keys',
    'rule',
    parseRootFile,
    json({ ...root, keys: [key, { ...key, publicKey: 'B'.repeat(43) }] }),
  ],
  ['a signature of another length', 'form', parseIndexSignature, json({ kid: 'k', sig: 'AAAA' })],
  ['no signatures', 'form', parseIndexSignature, json({ signatures: [] })],
  [
    'a publisher without keys',
    'form',
    parsePublishersFile,
    json({ format: 1, publishers: { acme: { level: 'verified', keys: [] } } }),
  ],
  [
    'a key of two publishers',
    'rule',
    parsePublishersFile,
    json({
      format: 1,
      publishers: Object.fromEntries(['a', 'b'].map((each) => [each, { level: 'verified', keys: [key] }])),
    }),
  ],
  [
    'a range that is none',
    'rule',
    parseRevocationsFile,
    json({ ...revocations, plugins: [{ ...revoked, versions: 'all of them' }] }),
  ],
  [
    'an action nobody knows',
    'form',
    parseRevocationsFile,
    json({ ...revocations, plugins: [{ ...revoked, action: 'wipe' }] }),
  ],
  [
    'a category twice',
    'rule',
    parseCategoriesFile,
    json({ format: 1, categories: Array(2).fill({ id: 'a', title: { default: 'A' } }) }),
  ],
  [
    'a rating above five',
    'form',
    parseRatingsFile,
    json({ format: 1, ratings: { [pluginName]: { average: 6, count: 1 } } }),
  ],
  [
    'a finding of another level',
    'form',
    parseReviewFile,
    json({
      format: 1,
      name: pluginName,
      version: '1.0.0',
      checked: created,
      findings: [{ level: 'fatal', rule: 'x', message: 'x' }],
    }),
  ],
]

describe('the files of an index', () => {
  for (const [what, rule, parse, bytes] of refused) {
    it(`are refused with ${what}`, () => {
      let refusal: unknown
      try {
        parse(bytes)
      } catch (error) {
        const { code, reason, details } = error as { code?: number; reason?: string; details?: { rule?: string } }
        refusal = [code, reason, details?.rule]
      }
      deepEqual(refusal, [5023, 'index_invalid', rule])
    })
  }

  it('are read as they are written', () => {
    deepEqual(parseIndexFile(json(index)), index)
    deepEqual(parsePluginFile(json(samplePlugin())), samplePlugin())
    deepEqual(parseRevocationsFile(json(revocations)), revocations)
    deepEqual(parseIndexSignature(json({ kid: 'k', sig: `${'A'.repeat(86)}==` })).signatures.length, 1)
  })

  it('make an entry of what a list shows, cut to length', () => {
    const plugin = samplePlugin({ description: { default: '😀'.repeat(400) }, files: { 'icon.webp': hash } })
    const made = createIndexEntry(plugin, { sha256: hash, trust: 'community', updated: created })
    deepEqual([made.latest, made.path, made.icon, made.publisher], ['1.0.0', 'p/ac/acme.clock/', 'icon.webp', 'acme'])
    deepEqual(parseIndexFile(withEntry(made)).plugins[pluginName], made)
  })

  it('call the newest version latest that was not taken back', () => {
    const yanked = { reason: 'broken', at: created }
    const versions = [sampleVersion('1.0.0'), sampleVersion('2.0.0', { yanked }), sampleVersion('3.0.0-beta.1')]
    equal(latestVersion(versions)?.version, '1.0.0')
    equal(latestVersion(versions.slice(1))?.version, '3.0.0-beta.1')
    equal(latestVersion(versions.slice(1, 2))?.version, '2.0.0')
  })
})
