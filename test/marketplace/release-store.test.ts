import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPackage, packPlugin, ReleaseStore } from '#marketplace'
import { packageLimits } from '../../marketplace/package/package-limits.ts'
import { refusalOf } from './package-refusal.ts'
import { makeScratch } from './sample-package.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')

describe('the store of releases', () => {
  const shared = new AsyncDisposableStack()
  let packed: Awaited<ReturnType<typeof packPlugin>>

  before(async () => {
    const scratch = shared.use(await makeScratch())
    packed = await packPlugin(guestbook, { out: join(scratch.path, 'pkg.zip') })
  })
  after(() => shared.disposeAsync())

  async function makeStore() {
    const scratch = await makeScratch()
    // Another process has one of its own.
    const another = () =>
      new ReleaseStore({ packages: join(scratch.path, 'packages'), staging: join(scratch.path, 'staging') })
    const store = another()
    const { name, version } = packed.manifest
    const release = { name, version, treeHash: packed.treeHash, sha256: packed.sha256 }
    const zip = await readFile(packed.file)
    return {
      store,
      another,
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

  it('is not whole while somebody deletes it, which is no fault of whoever looks', async () => {
    await using made = await makeStore()
    const { store, release, zip } = made
    const seen = new Set<boolean>()
    // Sooner or later a file that was listed is gone when it is read.
    for (let round = 0; round < 12; round++) {
      await store.restore(zip, release)
      const looks = Array.from({ length: 8 }, () => made.another().verify(release))
      await store.removeRelease(release)
      for (const isWhole of await Promise.all(looks)) seen.add(isWhole)
      equal(await made.another().verify(release), false)
    }
    ok(seen.has(false))
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

  it('reads no more of a zip than a package may have', async () => {
    await using made = await makeStore()
    const { store, release } = made
    const piece = Buffer.alloc(1_048_576)
    const most = packageLimits.zipBytes
    const endless = async function* () {
      for (let size = 0; size <= most; size += piece.length) yield await Promise.resolve(piece)
    }
    const { details } = await refusalOf(store.restore(endless(), release))
    deepEqual(details, { rule: 'size' })
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
