import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { chmod, cp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#kernel'
import {
  createSigningKey,
  openPackage,
  packPlugin,
  ReleaseStore,
  signPackage,
  treeHash,
  verifyPackage,
  verifyRelease,
} from '#marketplace'
import type { OpenedPackage, PackageSignature, SigningKey, TrustedKey } from '#marketplace'
import { makeScratch, sampleEntries } from './sample-package.ts'
import { buildZip, type ForgedEntry } from './zip-builder.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')
const acme = createSigningKey('acme-2026a')
const trusts = (key: SigningKey, changes: Partial<TrustedKey> = {}) => ({
  findKey: (kid: string) =>
    Promise.resolve<TrustedKey | undefined>(
      kid === key.kid ? { kid, publicKey: key.publicKey, publisher: 'acme', level: 'verified', ...changes } : undefined,
    ),
})

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  ok(error instanceof AppError, String(error))
  return error
}

describe('packing a plugin', () => {
  it('makes the same bytes from the same sources, wherever they lie', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'some/where/else')
    await cp(guestbook, copy, { recursive: true })
    const one = await packPlugin(guestbook, { out: join(scratch.path, 'one.zip') })
    const two = await packPlugin(copy, { out: join(scratch.path, 'two.zip') })
    deepEqual(await readFile(one.file), await readFile(two.file))
    deepEqual([one.sha256, one.treeHash], [two.sha256, two.treeHash])
  })

  it('takes what belongs into a package and leaves the rest', async () => {
    await using scratch = await makeScratch()
    const packed = await packPlugin(guestbook, { out: join(scratch.path, 'pkg.zip') })
    const opened = await openPackage(packed.file, join(scratch.path, 'tree'))
    deepEqual(
      opened.files.map(({ path }) => path),
      [
        ...['META/sbom.json', 'README.md', 'README.zh-CN.md', 'dist/index.js', 'dist/index.js.map'],
        'locales/default.json',
        ...['locales/zh-CN.json', 'manifest.json', 'migrations/0001_init.down.sql', 'migrations/0001_init.up.sql'],
        ...['ui/page.css', 'ui/page.html'],
      ],
    )
    equal(opened.treeHash, packed.treeHash)
  })

  it('bundles what the source imports, and says what it cannot find', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'plugin')
    await cp(guestbook, copy, { recursive: true })
    const packed = await packPlugin(copy, { out: join(scratch.path, 'pkg.zip') })
    const { directory } = await openPackage(packed.file, join(scratch.path, 'tree'))
    ok(!/^import /m.test(await readFile(join(directory, 'dist/index.js'), 'utf8')))
    await writeFile(
      join(copy, 'src/files.ts'),
      "import { readFileSync } from 'node:fs'\nexport const putFile = readFileSync\n",
    )
    const refusal = await refusalOf(packPlugin(copy, { out: join(scratch.path, 'two.zip') }))
    deepEqual([refusal.code, refusal.details], [4009, { rule: 'bundle' }])
    ok(refusal.message.includes('src/files.ts line 1'), refusal.message)
  })

  it('leaves nothing behind when the plugin is refused', async () => {
    await using scratch = await makeScratch()
    const copy = join(scratch.path, 'plugin')
    await cp(guestbook, copy, { recursive: true })
    await writeFile(join(copy, 'migrations/0001_init.up.sql'), 'grant all on entries to public')
    const refusal = await refusalOf(packPlugin(copy, { out: join(scratch.path, 'pkg.zip') }))
    equal(refusal.reason, 'migration_refused')
    deepEqual(await readdir(scratch.path), ['plugin'])
  })
})

describe('opening a package', () => {
  const refused: Readonly<Record<string, [entries: readonly ForgedEntry[], code: number, faults: unknown]>> = {
    'a manifest that is not valid': [sampleEntries({ version: '1' }), 4227, ['version semver']],
    'an entry that is not there': [sampleEntries({ main: 'dist/other.js' }), 4227, ['main file']],
    'a README and a language that are not there': [
      sampleEntries({ readme: { default: 'README.md' }, locales: ['fr'] }),
      4227,
      ['readme.default file', 'locales.0 file'],
    ],
    'migrations without tables': [
      [...sampleEntries(), { path: 'migrations/0001_a.up.sql', data: 'create table a (b int)' }],
      4227,
      ['db required'],
    ],
    'texts that are no texts': [
      [...sampleEntries({ locales: ['fr'] }), { path: 'locales/fr.json', data: '{"a":{"b":"c"}}' }],
      4009,
      { rule: 'locale', path: 'locales/fr.json' },
    ],
    'a signature of another form': [
      [...sampleEntries(), { path: 'META/signature.json', data: '{"alg":"none"}' }],
      4009,
      { rule: 'form' },
    ],
  }
  for (const [name, [entries, code, faults]] of Object.entries(refused)) {
    it(`refuses ${name}, and leaves nothing behind`, async () => {
      await using scratch = await makeScratch()
      const path = await scratch.write('pkg.zip', buildZip(entries))
      const refusal = await refusalOf(openPackage(path, join(scratch.path, 'tree')))
      const told = refusal.errors?.map(({ field, rule }) => `${field} ${rule}`) ?? refusal.details
      deepEqual([refusal.code, told], [code, faults])
      deepEqual(await readdir(scratch.path), ['pkg.zip'])
    })
  }

  it('gives a tree the same hash whatever the order and the signature', () => {
    const files = ['b', 'a'].map((path) => ({ path, size: 1, sha256: path.repeat(64) }))
    const signed = [...files].reverse().concat({ path: 'META/signature.json', size: 9, sha256: 'c' })
    equal(treeHash(files), treeHash(signed))
    ok(treeHash(files) !== treeHash(files.slice(1)))
  })
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

  it('is given to an upload by the site’s own key', async () => {
    const site = createSigningKey('site')
    const countersigned = { ...opened, signature: signPackage(opened, site) }
    const { level, kid } = await verifyPackage(countersigned, trusts(site, { publisher: undefined, level: 'local' }))
    deepEqual([level, kid], ['local', 'site'])
  })
})

describe('the store of releases', () => {
  async function makeStore() {
    const scratch = await makeScratch()
    const store = new ReleaseStore({ packages: join(scratch.path, 'packages'), staging: join(scratch.path, 'staging') })
    const packed = await packPlugin(guestbook, { out: join(scratch.path, 'pkg.zip') })
    const { name, version } = packed.manifest
    const release = { name, version, treeHash: packed.treeHash, sha256: packed.sha256 }
    const zip = await readFile(packed.file)
    return {
      store,
      release,
      zip,
      open: (folder: string) => openPackage(packed.file, join(scratch.path, folder)),
      async [Symbol.asyncDispose]() {
        await store.remove(name)
        await scratch[Symbol.asyncDispose]()
      },
    }
  }

  it('keeps an opened package under its name and hash, for reading only', async () => {
    await using made = await makeStore()
    const { store, release } = made
    equal(await store.verify(release), false)
    const directory = await store.put(await made.open('tree'))
    equal(directory, store.directoryOf(release))
    ok(directory.endsWith(`packages/acme.guestbook/1.0.0-${release.treeHash.slice(0, 12)}`))
    equal(await store.verify(release), true)
    deepEqual(
      [(await stat(directory)).mode & 0o777, (await stat(join(directory, 'manifest.json'))).mode & 0o777],
      [0o555, 0o444],
    )
    equal(await store.put(await made.open('again')), directory)
    deepEqual(await store.list(), [{ name: 'acme.guestbook', folder: `1.0.0-${release.treeHash.slice(0, 12)}` }])
  })

  it('is rebuilt from the zip, by several at once', async () => {
    await using made = await makeStore()
    const { store, release, zip } = made
    const chunks = async function* () {
      for (let at = 0; at < zip.length; at += 1_000) yield await Promise.resolve(zip.subarray(at, at + 1_000))
    }
    const directories = await Promise.all([store.restore(zip, release), store.restore(chunks(), release)])
    deepEqual(directories, [store.directoryOf(release), store.directoryOf(release)])
    equal(await store.verify(release), true)
  })

  const damages: Readonly<Record<string, (directory: string) => Promise<void>>> = {
    'a changed file': async (directory) => {
      await chmod(join(directory, 'dist/index.js'), 0o644)
      await writeFile(join(directory, 'dist/index.js'), 'export default {}')
    },
    'a file less': async (directory) => {
      await chmod(directory, 0o755)
      await rm(join(directory, 'README.md'))
    },
    'a file more': async (directory) => {
      await chmod(join(directory, 'ui'), 0o755)
      await writeFile(join(directory, 'ui/evil.js'), 'x')
    },
  }
  for (const [name, damage] of Object.entries(damages)) {
    it(`notices ${name}, and heals from the zip`, async () => {
      await using made = await makeStore()
      const { store, release, zip } = made
      const directory = await store.restore(zip, release)
      equal(await store.verify(release), true)
      await damage(directory)
      equal(await store.verify(release), false)
      await store.restore(zip, release)
      equal(await store.verify(release), true)
    })
  }

  it('refuses a zip that is another one', async () => {
    await using made = await makeStore()
    const { store, release, zip } = made
    const refusal = await refusalOf(store.restore(zip, { ...release, sha256: '0'.repeat(64) }))
    equal(refusal.reason, 'release_damaged')
    deepEqual(await store.list(), [])
  })

  it('removes every release of a plugin, and reaches no other folder', async () => {
    await using made = await makeStore()
    const { store, release, zip } = made
    await store.restore(zip, release)
    await store.remove('acme.guestbook')
    deepEqual(await store.list(), [])
    await rejects(store.remove('..'), /no name of a plugin/)
  })
})
