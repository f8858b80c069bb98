import { createHash } from 'node:crypto'
import {
  createIndexEntry,
  createRoot,
  createSigningKey,
  pluginFolder,
  signIndex,
  type IndexFile,
  type PluginFile,
  type PluginVersion,
  type SignedRoot,
  type SigningKey,
} from '#marketplace'

/** The files of an index by their paths. */
export type IndexContent = Map<string, Buffer>

/** A key and the root that names it. */
export interface IndexAuthority {
  readonly key: SigningKey
  readonly root: SignedRoot
}

/** Where and when the sample index was made. */
export const created = '2026-01-01T00:00:00.000Z'
/** The plugin of the sample index. */
export const pluginName = 'acme.clock'
/** The package of its version 1.0.0; its bytes stand for any zip. */
export const packageBytes = Buffer.from('not a zip, but every byte of it counts'.repeat(2_000))

const packageHash = createHash('sha256').update(packageBytes).digest('hex')

/** JSON as bytes. */
export function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

/** SHA-256 in hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Makes an index's first key and root. */
export function createAuthority(kid = 'index-1'): IndexAuthority {
  const key = createSigningKey(kid)
  return { key, root: createRoot({ created: created, keys: [key] }, [key]) }
}

/** One version as an index lists it. */
export function sampleVersion(version: string, more: Partial<PluginVersion> = {}): PluginVersion {
  return {
    version,
    engines: { host: '>=1.0.0' },
    capabilities: ['log'],
    hosts: [],
    size: packageBytes.length,
    sha256: packageHash,
    treeHash: sha256(Buffer.from(version)),
    url: `releases/${version}.plugin.zip`,
    kid: null,
    sig: null,
    published: created,
    yanked: null,
    ...more,
  }
}

/** A plugin as an index describes it. */
export function samplePlugin(more: Partial<PluginFile> = {}): PluginFile {
  return {
    name: pluginName,
    publisher: 'acme',
    title: { default: 'Clock', 'zh-CN': '时钟' },
    description: { default: 'Shows the time' },
    categories: ['tools'],
    keywords: ['time'],
    versions: [sampleVersion('1.0.0')],
    ...more,
  }
}

/** What differs from the usual sample index. */
export interface SampleOptions {
  readonly authority?: IndexAuthority
  readonly plugins?: readonly PluginFile[]
  readonly index?: Partial<IndexFile>
  /** Files in the folder of every plugin, listed with their hashes. */
  readonly beside?: Readonly<Record<string, Buffer>>
  readonly sides?: Readonly<Record<string, unknown>>
}

/** Makes a whole index, signed where there is an authority. */
export function createIndexContent(options: SampleOptions = {}): IndexContent {
  const { authority, plugins = [samplePlugin()], index = {}, beside = {}, sides = {} } = options
  const content: IndexContent = new Map()
  const entries = plugins.map((given) => {
    const folder = pluginFolder(given.name)
    const listed = Object.fromEntries(Object.entries(beside).map(([path, bytes]) => [path, sha256(bytes)]))
    const plugin = Object.keys(beside).length > 0 ? { ...given, files: listed } : given
    const file = json(plugin)
    content.set(`${folder}plugin.json`, file)
    for (const { url } of plugin.versions) if (!url.includes(':')) content.set(folder + url, packageBytes)
    for (const [path, bytes] of Object.entries(beside)) content.set(folder + path, bytes)
    return [
      plugin.name,
      createIndexEntry(plugin, { sha256: sha256(file), trust: 'verified', updated: created }),
    ] as const
  })
  for (const [name, value] of Object.entries(sides)) content.set(name, json(value))
  const files = Object.fromEntries(Object.entries(sides).map(([name, value]) => [name, sha256(json(value))]))
  const usual = { format: 1, sequence: 1, generated: created, expires: '2036-01-01T00:00:00.000Z' } as const
  setIndex(content, { ...usual, plugins: Object.fromEntries(entries), files, ...index }, authority)
  return content
}

/** Puts another index.json into an index, signed anew. */
export function setIndex(content: IndexContent, index: IndexFile, authority?: IndexAuthority): void {
  const bytes = json(index)
  content.set('index.json', bytes)
  if (!authority) return
  content.set('root.json', authority.root.root)
  content.set('root.json.sig', authority.root.signature)
  content.set('index.json.sig', signIndex(bytes, [authority.key]))
}
