import { createSigningKey, signPackage, type PackageSignature } from '#marketplace'
import type { ForgedEntry } from '../zip-builder.ts'
import { withEntries, withManifest, type Cases } from './forge.ts'

const key = createSigningKey('acme-2026a')
const described = {
  manifest: { name: 'acme.sample', version: '1.0.0', publisher: 'acme' },
  files: [],
}
const honest = signPackage(described, key)
const signature = (text: string | Buffer): Buffer => withEntries([{ path: 'META/signature.json', data: text }])
const forged = (changes: Readonly<Record<string, unknown>>): Buffer =>
  signature(JSON.stringify({ ...honest, ...changes }))
const stating = (statement: string): Buffer => forged({ payload: Buffer.from(statement).toString('base64') })
const statement = Buffer.from(honest.payload, 'base64').toString()
const sig = Buffer.from(honest.sig, 'base64')

/** S + L: the second spelling of the same signature, which RFC 8032 forbids. */
function beyondOrder(): string {
  const order = (1n << 252n) + 27_742_317_777_372_353_535_851_937_790_883_648_493n
  const scalar = BigInt(`0x${Buffer.from(sig.subarray(32)).reverse().toString('hex')}`) + order
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([sig.subarray(0, 32), bytes]).toString('base64')
}

/** Signatures that nobody known made, in every form. */
export const signatures: Cases = {
  'a signature that is no JSON': () => signature('{'),
  'a signature that is empty': () => signature(''),
  'a signature that is null': () => signature('null'),
  'a signature that is a list': () => signature('[]'),
  'a signature with a byte order mark': () => signature(`\ufeff${JSON.stringify(honest)}`),
  'a signature in UTF-16': () => signature(Buffer.from(JSON.stringify(honest), 'utf16le')),
  'a signature with a key twice': () => signature(JSON.stringify(honest).replace('{', '{"alg":"none",')),
  'a signature with a prototype': () => signature('{"__proto__":{"alg":"ed25519"}}'),
  'a signature of any depth': () => signature('['.repeat(100_000)),
  'a signature with a key of its own': () => forged({ jwk: { x: key.publicKey } }),
  'a signature with an address of a key': () => forged({ x5u: 'https://evil.test/key' }),
  ...Object.fromEntries(
    ['none', 'None', 'HS256', 'RS256', 'ES256', 'EdDSA', 'Ed25519', 'ed25519ph', '', null, 1, ['ed25519']].map(
      (alg) => [`a signature of the kind ${JSON.stringify(alg)}`, () => forged({ alg })],
    ),
  ),
  ...Object.fromEntries(
    [
      'unknown',
      '../../site',
      '',
      'a'.repeat(65),
      '*',
      "' or 1=1 --",
      '__proto__',
      'constructor',
      null,
      1,
      {},
      ['site'],
    ].map((kid) => [`a signature by the key ${JSON.stringify(kid)}`, () => forged({ kid })]),
  ),
  "a signature by this site's key that is another": () => forged({ kid: 'site' }),
  'a signature of nothing': () => forged({ kid: 'site', sig: '' }),
  'a signature of zeros': () => forged({ kid: 'site', sig: Buffer.alloc(64).toString('base64') }),
  'a signature of the identity': () =>
    forged({ kid: 'site', sig: Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64') }),
  'a signature that is too short': () => forged({ kid: 'site', sig: sig.subarray(0, 63).toString('base64') }),
  'a signature that is too long': () => forged({ kid: 'site', sig: Buffer.alloc(65).toString('base64') }),
  'a signature beyond the order': () => forged({ kid: 'site', sig: beyondOrder() }),
  'a signature in hex': () => forged({ kid: 'site', sig: sig.toString('hex') }),
  'a signature in the base64 of addresses': () => forged({ kid: 'site', sig: '-_'.repeat(44) }),
  'a signature in base64 of two spellings': () => forged({ kid: 'site', sig: honest.sig.replace(/.==$/, 'B==') }),
  'a statement that is no JSON': () => stating('{'),
  'a statement with a key twice': () => stating(statement.replace('{', '{"v":1,')),
  'a statement of nothing': () => forged({ payload: '' }),
  'a statement that is no base64': () => forged({ payload: '!!!' }),
  'a statement that is an object': () => forged({ payload: JSON.parse(statement) as unknown }),
  'a statement without a signature': () => signature(JSON.stringify({ ...honest, sig: undefined })),
  'a signature of another domain': () => signature(JSON.stringify(otherDomain())),
}

/** What a signer of other things would have signed: the same bytes after other words. */
function otherDomain(): PackageSignature {
  return { ...honest, kid: 'site', payload: Buffer.from(`index-v1\n${statement}`).toString('base64') }
}

const tables = { db: { tables: ['notes'] }, capabilities: ['db:own_tables'], reasons: { 'db:own_tables': 'x' } }
const create = 'create table notes (id serial primary key, n numeric);'
const migration = (
  sql: string | Buffer,
  path = 'migrations/0001_init.up.sql',
  more: readonly ForgedEntry[] = [],
): Buffer => withManifest(tables, [{ path, data: sql, method: 8 }, ...more])
const upFiles = (count: number, sql: (index: number) => string): Buffer =>
  withManifest(
    tables,
    Array.from({ length: count }, (_, index) => ({
      ...{ path: `migrations/${String(index + 1).padStart(4, '0')}_a.up.sql`, data: sql(index), method: 8 },
    })),
  )

/** Migrations that are none, ask for more than a plugin may, or cost too much. */
export const migrations: Cases = {
  'a migration of a query': () => migration('select pg_sleep(100)'),
  'a migration of a program': () => migration("copy notes from program 'id'"),
  'a migration of another table': () => migration(`${create} drop table users;`),
  'a migration without its table': () => migration('create table other (id serial primary key);'),
  'a migration of no bytes': () => migration(''),
  'a migration of zeros': () => migration(Buffer.alloc(1_000)),
  'a migration in UTF-16': () => migration(Buffer.from(create, 'utf16le')),
  'a migration with a byte order mark and nothing': () => migration('\ufeff'),
  'a migration that is no UTF-8': () => migration(Buffer.concat([Buffer.from(create), Buffer.from([0xff])])),
  'a migration with a number of three digits': () => migration(create, 'migrations/001_init.up.sql'),
  'a migration without a direction': () => migration(create, 'migrations/0001_init.sql'),
  'a migration in capitals': () => migration(create, 'migrations/0001_INIT.up.sql'),
  'a migration back alone': () => migration('drop table notes;', 'migrations/0001_init.down.sql'),
  'two migrations of one number': () =>
    migration(create, undefined, [{ path: 'migrations/0001_other.up.sql', data: '' }]),
  'a way back to other tables': () =>
    migration(create, undefined, [{ path: 'migrations/0001_init.down.sql', data: '' }]),
  '101 migrations': () => upFiles(101, (index) => (index === 0 ? create : '')),
  '1,001 statements': () => migration(create + 'delete from notes;'.repeat(1_001)),
  'a migration of 256 KB and a byte': () => migration(create + ' '.repeat(262_145)),
  'a migration of brackets': () => migration(`${create} update notes set n = ${'('.repeat(200_000)}`),
  'a migration of minus signs': () => migration(`${create} update notes set n = ${'- '.repeat(100_000)}`),
  'a migration of one string': () => migration(`${create} insert into notes (n) values ('${'a'.repeat(200_000)}')`),
  'a migration of quotes': () => migration(`${create} insert into notes (n) values (${"''".repeat(100_000)})`),
  'a migration of line breaks': () => migration(`${create}${'\n'.repeat(250_000)}!`),
  'a migration of comments': () => migration(`${create}${'--\n'.repeat(80_000)}!`),
  'a migration of semicolons': () => migration(`${create}${';'.repeat(250_000)}!`),
  'a migration of commas': () => migration(`${create} insert into notes (n) values ${'(1),'.repeat(60_000)}`),
  '100 migrations of 256 KB, the last of them wrong': () =>
    upFiles(100, (index) =>
      index === 0 ? create : `insert into notes (n) values ${'(1),'.repeat(60_000)}(1)${index === 99 ? '!' : ''}`,
    ),
  'rows that double and double': () =>
    migration(`${create} insert into notes (n) values (1);${'insert into notes (n) select n from notes;'.repeat(40)}`),
  'a table of 201 columns': () =>
    migration(`create table notes (${Array.from({ length: 201 }, (_, index) => `a${index} int`).join()});`),
}

const locale = (text: string | Buffer, path = 'locales/zh-CN.json'): Buffer =>
  withEntries([{ path, data: text, method: 8 }])
const png = (width: number, height: number): Buffer => {
  const image = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40)])
  image.writeUInt32BE(width, 16)
  image.writeUInt32BE(height, 20)
  return image
}
const icon = (image: Buffer | string, path = 'icon.png'): Buffer => withEntries([{ path, data: image }])

/** Texts, icons and other files that are not what they are called. */
export const contents: Cases = {
  'texts that are no JSON': () => locale('{'),
  'texts in a list': () => locale('[]'),
  'texts that are null': () => locale('null'),
  'texts that are one text': () => locale('"a"'),
  'texts that are nested': () => locale('{"a":{"b":"c"}}'),
  'texts that are numbers': () => locale('{"a":1}'),
  'texts with a key twice': () => locale('{"a":"b","a":"c"}'),
  'texts with a prototype': () => locale('{"__proto__":"a"}'),
  'texts with a byte order mark': () => locale('\ufeff{"a":"b"}'),
  'texts in UTF-16': () => locale(Buffer.from('{"a":"b"}', 'utf16le')),
  'texts that are no UTF-8': () => locale(Buffer.from('{"a":"\xff"}', 'latin1')),
  'texts of any depth': () => locale('{"a":'.repeat(50_000)),
  'texts of 256 KB and a byte': () => locale(`{"a":"${'a'.repeat(262_145)}"}`),
  'texts of half a character': () => locale('{"a":"\\ud800"}'),
  'texts with a zero byte': () => locale('{"a":"\\u0000"}'),
  'texts of a language that is none': () => locale('{"a":"b"}', 'locales/Klingon_.json'),
  'texts of the prototype': () => locale('{"a":"b"}', 'locales/constructor.json'),
  'texts of 1,990 languages': () =>
    withEntries(Array.from({ length: 1_990 }, (_, index) => ({ path: `locales/l${index}.json`, data: `{"a":"b"}` }))),
  'an icon of text': () => icon('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'an icon of nothing': () => icon(''),
  'an icon of GIF': () => icon(Buffer.from('GIF89a\x01\0\x01\0'.padEnd(60, '\0'), 'latin1')),
  'an icon that is a page': () => icon('<!doctype html><script>alert(1)</script>'.padEnd(60)),
  'an icon without width': () => icon(png(0, 64)),
  'an icon of 1,025 pixels': () => icon(png(64, 1_025)),
  'an icon of 4,294,967,295 pixels': () => icon(png(0xffff_ffff, 0xffff_ffff)),
  'an icon of PNG that is called WebP': () => icon(png(64, 64), 'icon.webp'),
  'an icon of WebP that is cut off': () => icon('RIFF\0\0\0\0WEBPVP8 ', 'icon.webp'),
  'an icon of WebP in an unknown form': () => icon('RIFF\0\0\0\0WEBPEVIL'.padEnd(60), 'icon.webp'),
  'an icon that the package has not': () => withManifest({ icon: 'icon.png' }),
  'a page that the package has not': () =>
    withManifest({
      capabilities: ['ui'],
      reasons: { ui: 'x' },
      slots: [{ slot: 'page', id: 'a', entry: 'ui/a.html' }],
    }),
  'a README that the package has not': () => withManifest({ readme: { default: 'README.md' } }),
  'a language that the package has not': () => withManifest({ locales: ['default', 'fr'] }),
  'an entry that the package has not': () => withManifest({ main: 'dist/other.js' }),
  'migrations without tables': () => withEntries([{ path: 'migrations/0001_a.up.sql', data: '' }]),
  'tables without migrations': () => withManifest(tables),
}
