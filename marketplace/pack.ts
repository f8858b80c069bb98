import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hostModuleNames, parseManifest, type PluginManifest } from '#sandbox'
import { PackageInvalidError } from './errors.ts'
import { bundle, findSource } from './pack/bundle.ts'
import { collectFiles } from './pack/collect-files.ts'
import { createSbom } from './pack/create-sbom.ts'
import { writeZip, type ZipFile } from './pack/zip-writer.ts'
import { openPackage } from './package/open.ts'
import { packageLimits } from './package/package-limits.ts'
import { signPackage, type SigningKey } from './package/signature.ts'
import { signaturePath, sortByPath } from './package/tree.ts'

/** How a plugin is packed. */
export interface PackOptions {
  /** Where the package goes: `{name}-{version}.plugin.zip` in the working folder unless it says otherwise. */
  readonly out?: string
  /** The publisher's key to sign with. */
  readonly sign?: SigningKey
  /** A module that stands around the plugin, for trials of it. */
  readonly around?: string
}

/** What was packed. */
interface Packed {
  readonly file: string
  readonly manifest: PluginManifest
  readonly sha256: string
  readonly size: number
  readonly treeHash: string
  readonly files: number
  readonly kid: string | undefined
}

/** A package that nobody has checked yet. */
interface AssembledPackage {
  readonly manifest: PluginManifest
  readonly zip: Buffer
}

/** Packs a plugin's folder: bundles its source, writes a reproducible zip and opens it once, so that what comes out can be installed. */
export async function packPlugin(directory: string, options: PackOptions = {}): Promise<Packed> {
  const { manifest, zip } = await assemblePackage(directory, options)
  const { out, sign } = options
  const target = resolve(out ?? `${manifest.name}-${manifest.version}.plugin.zip`)
  const folder = await mkdtemp(join(tmpdir(), 'stoa-pack-'))
  try {
    const draft = join(folder, 'pkg.zip')
    await writeFile(draft, zip)
    const opened = await openPackage(draft, join(folder, 'tree'))
    await writeFile(`${target}.part`, zip)
    await rename(`${target}.part`, target)
    const { sha256, size, treeHash } = opened
    return { file: target, manifest, sha256, size, treeHash, files: opened.files.length, kid: sign?.kid }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The zip of a plugin's folder; for those who hand it to somebody who opens it anyway. */
export async function assemblePackage(
  directory: string,
  { sign, around }: Pick<PackOptions, 'sign' | 'around'> = {},
): Promise<AssembledPackage> {
  const manifest = parseManifest(await readManifest(directory))
  const files = await assemble(directory, manifest, around)
  const zip = writeZip(sortByPath(sign ? [...files, signatureOf(manifest, files, sign)] : files))
  return { manifest, zip }
}

async function readManifest(directory: string): Promise<Buffer> {
  try {
    return await readFile(join(directory, 'manifest.json'))
  } catch (cause) {
    throw new PackageInvalidError(
      { problem: `there is no manifest.json in ${directory}` },
      { details: { rule: 'missing' }, cause },
    )
  }
}

async function assemble(directory: string, manifest: PluginManifest, around?: string): Promise<ZipFile[]> {
  const source = (await findSource(directory)) ?? (around === undefined ? undefined : manifest.main)
  // What a bundle replaces would only be older than its source.
  const files = await collectFiles(directory, new Set(source ? ['dist'] : []))
  if (source) {
    const { code, map } = await bundle(directory, source, {
      around,
      hostModules: hostModuleNames(manifest.hostModules),
    })
    files.push({ path: manifest.main, data: code })
    // A larger one would be read by nobody.
    if (map.length <= packageLimits.sourceMap) files.push({ path: `${manifest.main}.map`, data: map })
  }
  return sortByPath([...files, { path: 'META/sbom.json', data: createSbom(manifest, sortByPath(files)) }])
}

function signatureOf(manifest: PluginManifest, files: readonly ZipFile[], key: SigningKey): ZipFile {
  const described = files.map(({ path, data }) => ({
    path,
    size: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
  }))
  const signature = signPackage({ manifest, files: described }, key)
  return { path: signaturePath, data: Buffer.from(`${JSON.stringify(signature)}\n`) }
}
