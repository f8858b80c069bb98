import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { OpenedPackage } from '../package/opened-package.ts'
import { packageLimits } from '../package/package-limits.ts'
import { bytesBySource } from './bytes-by-source.ts'

/** A file of a package. */
interface FileSize {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Bytes it takes in the zip, without its name. */
  readonly packed: number
}

/** What takes room in the entry: the plugin's own source, the SDK, or a package. */
interface ModuleSize {
  readonly name: string
  readonly bytes: number
  readonly files: number
}

/** How near a package is to one of its limits; bytes, or a count of files. */
interface LimitUse {
  readonly limit: string
  readonly used: number
  readonly most: number
}

/** What makes a release large. */
export interface ReleaseSize {
  /** Bytes. */
  readonly zip: number
  readonly unpacked: number
  /** The largest first. */
  readonly files: readonly FileSize[]
  /** The largest first; none where the package has no source map of its entry. */
  readonly modules: readonly ModuleSize[]
  /** The nearest first. */
  readonly limits: readonly LimitUse[]
}

/** Measures an opened package: by file, by what is bundled into its entry, and against the limits. */
export async function measureRelease({ directory, files, size, manifest }: OpenedPackage): Promise<ReleaseSize> {
  const read = (path: string): Promise<Buffer> => readFile(join(directory, path))
  const sizes = await Promise.all(
    files.map(async ({ path, size }) => {
      return { path, size, packed: Math.min(size, deflateRawSync(await read(path), { level: 9 }).length) }
    }),
  )
  const map = await read(`${manifest.main}.map`).catch(() => undefined)
  const sources = map
    ? bytesBySource((await read(manifest.main)).toString(), map.toString())
    : new Map<string, number>()
  const unpacked = sizes.reduce((sum, file) => sum + file.size, 0)
  return {
    zip: size,
    unpacked,
    files: sizes.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1)),
    modules: groupModules(sources),
    limits: limitsOf(sizes, size, unpacked, manifest.main),
  }
}

function groupModules(sources: ReadonlyMap<string, number>): readonly ModuleSize[] {
  const groups = new Map<string, { bytes: number; files: number }>()
  for (const [path, bytes] of sources) {
    const name = moduleOf(path)
    const { bytes: before, files } = groups.get(name) ?? { bytes: 0, files: 0 }
    groups.set(name, { bytes: before + bytes, files: files + 1 })
  }
  return [...groups].map(([name, group]) => ({ name, ...group })).sort((a, b) => b.bytes - a.bytes)
}

/** `node_modules/a/node_modules/@b/c/index.js` → `@b/c`. */
function moduleOf(path: string): string {
  if (path.startsWith('@stoa/plugin-sdk')) return '@stoa/plugin-sdk'
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? 'your own source'
}

function limitsOf(files: readonly FileSize[], zip: number, unpacked: number, main: string): readonly LimitUse[] {
  const largest = (matches: (path: string) => boolean): number =>
    Math.max(0, ...files.filter(({ path }) => matches(path)).map(({ size }) => size))
  const uses = [
    { limit: 'package', used: zip, most: packageLimits.zipBytes },
    { limit: 'unpacked', used: unpacked, most: packageLimits.unpackedBytes },
    { limit: 'files', used: files.length, most: packageLimits.files },
    { limit: 'largest file', used: largest(() => true), most: packageLimits.fileBytes },
    { limit: 'entry', used: largest((path) => path === main), most: packageLimits.entry },
    { limit: 'manifest', used: largest((path) => path === 'manifest.json'), most: packageLimits.manifest },
    { limit: 'icon', used: largest((path) => path.startsWith('icon.')), most: packageLimits.icon },
    { limit: 'README', used: largest((path) => path.startsWith('README')), most: packageLimits.readme },
  ]
  return uses.sort((a, b) => b.used / b.most - a.used / a.most)
}
