import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkManifestFiles,
  compileMigrations,
  LIMITS,
  parseManifest,
  type PluginManifest,
  type PluginMigration,
} from '#sandbox'
import { PackageInvalidError } from '../errors.ts'
import { iconSize } from './icon-size.ts'
import { extractApart, type Extracted } from './extract-apart.ts'
import { PACKAGE_LIMITS } from './package-limits.ts'
import type { PackageLimits } from './prescan.ts'
import { parseSignature, type PackageSignature } from './signature.ts'
import { parseStrictJson } from './strict-json.ts'
import { SIGNATURE_PATH, sortByPath, treeHash, type PackageFile } from './tree.ts'

/** A package that has been unpacked and keeps every rule; whether to trust it is `verifyPackage`'s question. */
export interface OpenedPackage {
  readonly manifest: PluginManifest
  /** manifest.json as the author wrote it. */
  readonly manifestText: string
  readonly treeHash: string
  /** Sorted by path. */
  readonly files: readonly PackageFile[]
  /** The SHA-256 of the zip, in hex. */
  readonly sha256: string
  /** The size of the zip in bytes. */
  readonly size: number
  /** Where it was unpacked. */
  readonly directory: string
  readonly migrations: readonly PluginMigration[]
  readonly signature: PackageSignature | undefined
}

/** How a package is opened. */
export interface OpenOptions {
  /** Lower bounds than the contract's. */
  readonly limits?: PackageLimits
  readonly signal?: AbortSignal
}

/**
 * Opens an untrusted package into a folder that is new or empty: unpacks it in a process of its own, checks the manifest
 * and compiles the migrations. Nothing of it runs. When it is refused the folder is gone again.
 */
export async function openPackage(
  zip: string,
  target: string,
  { limits = PACKAGE_LIMITS, signal }: OpenOptions = {},
): Promise<OpenedPackage> {
  await makeEmpty(target)
  try {
    const extracted = await extractApart({ zip, target, limits }, signal)
    return await describe(extracted, target)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    throw error
  }
}

async function makeEmpty(target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  const [entry] = await readdir(target)
  if (entry !== undefined) throw new Error(`A package is opened into an empty folder, and ${target} has ${entry}`)
}

async function describe({ files, sha256, size }: Extracted, directory: string): Promise<OpenedPackage> {
  const read = (path: string) => readFile(join(directory, path))
  const text = await read('manifest.json')
  const manifest = parseManifest(text)
  checkManifestFiles(manifest, new Map(files.map((file) => [file.path, file.size])))
  const migrations = await compileMigrations(
    { plugin: manifest.name, tables: manifest.db?.tables ?? [] },
    files
      .filter(({ path }) => path.startsWith('migrations/'))
      .map((file) => ({ path: file.path, size: file.size, read: () => read(file.path) })),
  )
  for (const { path } of files) if (path.startsWith('locales/')) checkLocale(path, await read(path))
  for (const { path } of files) if (path.startsWith('icon.')) checkIcon(path, await read(path))
  const isSigned = files.some(({ path }) => path === SIGNATURE_PATH)
  return {
    manifest,
    manifestText: text.toString('utf8'),
    treeHash: treeHash(files),
    files: sortByPath(files),
    sha256,
    size,
    directory,
    migrations,
    signature: isSigned ? parseSignature(await read(SIGNATURE_PATH)) : undefined,
  }
}

/** A file of texts is one flat object. */
function checkLocale(path: string, file: Buffer): void {
  const texts = parseStrictJson(file, 1)
  const isFlat =
    typeof texts === 'object' && texts !== null && Object.values(texts).every((text) => typeof text === 'string')
  if (!isFlat || Array.isArray(texts))
    throw new PackageInvalidError(
      { problem: 'a file of texts is not one flat object of texts' },
      { details: { rule: 'locale', path } },
    )
}

/** Pages show it beside the plugin's name: an image of two kinds, and no wall of pixels. */
function checkIcon(path: string, file: Buffer): void {
  const most = LIMITS.iconPixels.max
  const size = iconSize(file)
  const isFine = size && Math.min(size.width, size.height) > 0 && Math.max(size.width, size.height) <= most
  if (!isFine) {
    const problem = size ? `the icon is not 1 to ${most} pixels wide and high` : 'the icon is no PNG or WebP image'
    throw new PackageInvalidError({ problem }, { details: { rule: 'icon', path } })
  }
}
