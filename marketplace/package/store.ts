import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pluginNameForm } from '#sandbox'
import { PackageInvalidError, ReleaseDamagedError, ReleaseNotKeptError } from '../errors.ts'
import { openPackage } from './open.ts'
import type { OpenedPackage } from './opened-package.ts'
import { packageLimits } from './package-limits.ts'
import { listTree, makeReadOnly, makeWritable, syncTree, type StoredFile } from './release-files.ts'
import { treeHash } from './tree.ts'

/** Which files a release is: the hash decides, name and version are for people. */
interface ReleaseReference {
  readonly name: string
  readonly version: string
  readonly treeHash: string
}

/** What a restored zip must be. */
interface ExpectedRelease extends ReleaseReference {
  /** The SHA-256 of the zip, in hex. */
  readonly sha256: string
}

/** Where a store keeps releases, and where it prepares them; both on one file system. */
interface ReleaseFolders {
  readonly packages: string
  readonly staging: string
}

/** The unpacked releases of this host: a cache named by content, which can be lost and rebuilt from the zips at any time. */
export class ReleaseStore {
  readonly #folders: ReleaseFolders
  /** What each folder looked like when its files were last read. */
  readonly #fingerprints = new Map<string, string>()
  /** The last piece of work on each folder: one at a time. */
  readonly #working = new Map<string, Promise<unknown>>()

  constructor(folders: ReleaseFolders) {
    this.#folders = folders
  }

  /** Where a release is, or would be. */
  directoryOf({ name, version, treeHash }: ReleaseReference): string {
    return join(this.#pluginFolder(name), `${version}-${treeHash.slice(0, 12)}`)
  }

  /** Moves an opened package into the store; returns its folder. */
  put(opened: OpenedPackage): Promise<string> {
    const { name, version } = opened.manifest
    const release = { name, version, treeHash: opened.treeHash }
    return this.#alone(this.directoryOf(release), () => this.#put(release, opened.directory))
  }

  /** Unpacks a release from its zip, unless it is here already; returns its folder. */
  restore(zip: AsyncIterable<Uint8Array> | Uint8Array, expected: ExpectedRelease): Promise<string> {
    return this.#alone(this.directoryOf(expected), () => this.#restore(zip, expected))
  }

  /** Whether the release is here and is what was installed; a repeated call compares sizes and times before it reads. */
  async verify(release: ReleaseReference): Promise<boolean> {
    try {
      return await this.#isWhole(release)
    } catch (error) {
      // Somebody deletes it meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  async #isWhole(release: ReleaseReference): Promise<boolean> {
    const directory = this.directoryOf(release)
    const files = await listTree(directory)
    if (!files) return false
    const fingerprint = fingerprintOf(files)
    if (this.#fingerprints.get(directory) === fingerprint + release.treeHash) return true
    const hashed = []
    for (const { path, size } of files) hashed.push({ path, size, sha256: await hashFile(join(directory, path)) })
    const isWhole = treeHash(hashed) === release.treeHash
    if (isWhole) this.#fingerprints.set(directory, fingerprint + release.treeHash)
    return isWhole
  }

  /** Lists what is here, for pruning and for finding strays. */
  async list(): Promise<{ readonly name: string; readonly folder: string }[]> {
    const names = await readNames(this.#folders.packages)
    const folders = await Promise.all(names.map((name) => readNames(join(this.#folders.packages, name))))
    return names.flatMap((name, index) => (folders[index] ?? []).map((folder) => ({ name, folder })))
  }

  /** Removes one release. */
  removeRelease(release: ReleaseReference): Promise<void> {
    const directory = this.directoryOf(release)
    return this.#alone(directory, () => this.#removeFolder(directory))
  }

  /** Removes one folder of those that are listed, unless it has come into use when its turn comes. */
  async removeFolder(name: string, folder: string, isStill = () => Promise.resolve(true)): Promise<void> {
    const plugin = this.#pluginFolder(name)
    const directory = join(plugin, basename(folder))
    await this.#alone(directory, async () => {
      if (await isStill()) await this.#removeFolder(directory)
    })
    // Unless others are in it.
    await rmdir(plugin).catch(() => undefined)
  }

  /** Removes every release of a plugin. */
  async remove(name: string): Promise<void> {
    const plugin = this.#pluginFolder(name)
    for (const folder of await readNames(plugin)) {
      const directory = join(plugin, folder)
      await this.#alone(directory, () => this.#removeFolder(directory))
    }
    await rm(plugin, { recursive: true, force: true })
  }

  async #put(release: ReleaseReference, opened: string): Promise<string> {
    const directory = this.directoryOf(release)
    if (!(await this.verify(release))) {
      await this.#removeFolder(directory)
      await syncTree(opened)
      await moveInto(directory, opened)
      await makeReadOnly(directory)
      await syncFolder(dirname(directory))
      if (!(await this.verify(release))) throw notKept(release)
    }
    await rm(opened, { recursive: true, force: true })
    return directory
  }

  async #restore(zip: AsyncIterable<Uint8Array> | Uint8Array, expected: ExpectedRelease): Promise<string> {
    if (await this.verify(expected)) return this.directoryOf(expected)
    const folder = join(this.#folders.staging, randomUUID())
    await mkdir(folder, { recursive: true })
    try {
      const path = join(folder, 'pkg.zip')
      // Hashed on its way: from here on a difference is this host's disk, and not the package.
      if ((await writeZip(path, zip)) !== expected.sha256) throw damaged(expected)
      const opened = await this.#open(path, join(folder, 'tree'), expected)
      const { name, version } = opened.manifest
      if (opened.sha256 !== expected.sha256) throw notKept(expected)
      if (opened.treeHash !== expected.treeHash || name !== expected.name || version !== expected.version)
        throw damaged(expected)
      return await this.#put(expected, opened.directory)
    } finally {
      await rm(folder, { recursive: true, force: true })
      // Unless others are in it.
      await rmdir(this.#folders.staging).catch(() => undefined)
    }
  }

  /** A zip that breaks a rule proves something only as long as it is the zip that was written. */
  async #open(path: string, target: string, expected: ExpectedRelease): Promise<OpenedPackage> {
    try {
      return await openPackage(path, target)
    } catch (error) {
      if (error instanceof PackageInvalidError && (await hashFile(path)) !== expected.sha256) throw notKept(expected)
      throw error
    }
  }

  async #removeFolder(directory: string): Promise<void> {
    this.#fingerprints.delete(directory)
    await makeWritable(directory)
    await rm(directory, { recursive: true, force: true })
  }

  /** The name becomes part of a path: one that is no plugin's name must not reach another folder. */
  #pluginFolder(name: string): string {
    if (!pluginNameForm.test(name)) throw new Error(`${name} is no name of a plugin`)
    return join(this.#folders.packages, name)
  }

  async #alone<T>(directory: string, work: () => Promise<T>): Promise<T> {
    const mine = Promise.resolve(this.#working.get(directory)).then(work, work)
    this.#working.set(directory, mine)
    try {
      return await mine
    } finally {
      if (this.#working.get(directory) === mine) this.#working.delete(directory)
    }
  }
}

function damaged({ name, version }: ReleaseReference): Error {
  return new ReleaseDamagedError({ release: `${name} ${version}` })
}

function notKept({ name, version }: ReleaseReference): Error {
  return new ReleaseNotKeptError({ release: `${name} ${version}` })
}

function fingerprintOf(files: readonly StoredFile[]): string {
  const seen = files.map(({ path, size, ctimeMs, inode }) => [path, size, ctimeMs, inode])
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex')
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

async function moveInto(directory: string, opened: string): Promise<void> {
  const move = async () => {
    await mkdir(dirname(directory), { recursive: true })
    await rename(opened, directory)
  }
  // The folder of the plugin may go, being empty, before there is something in it.
  await move()
    .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? move() : Promise.reject(error)))
    .catch((error: NodeJS.ErrnoException) => {
      // Another process of this host may have been faster; what counts is what is there in the end.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** Writes a zip to a file, and stops where no package goes on; answers the hash of what came. */
async function writeZip(path: string, zip: AsyncIterable<Uint8Array> | Uint8Array): Promise<string> {
  await using file = await open(path, 'wx', 0o600)
  const most = packageLimits.zipBytes
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of zip instanceof Uint8Array ? [zip] : zip) {
    size += chunk.length
    if (size > most)
      throw new PackageInvalidError({ problem: `the file is larger than ${most} bytes` }, { details: { rule: 'size' } })
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return hash.digest('hex')
}
