import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSigningKey, openPackage, parsePluginFile, type PluginFile, type SigningKey } from '#marketplace'
import { assemblePackage } from '../../../marketplace/pack.ts'
import { pluginFolder } from '../../../marketplace/index-format/index-entry.ts'
import { buildIndex } from '../../../marketplace/keeper/build-index.ts'
import { addPublisher } from '../../../marketplace/keeper/change-index.ts'
import { describePlugin, describeVersion } from '../../../marketplace/keeper/describe-version.ts'
import { readPart } from '../../../marketplace/keeper/index-folder.ts'
import { initIndex } from '../../../marketplace/keeper/init-index.ts'
import { toStableJson } from '../../../marketplace/keeper/stable-json.ts'
import { manifestOf } from '../../support/small-plugin.ts'

/** A plugin that is packed for an index: what its manifest adds, its module, and files beside them. */
export interface SmallRelease {
  readonly manifest?: object
  readonly definition?: string
  readonly files?: Readonly<Record<string, string>>
  /** Signed with the publisher's key unless null. */
  readonly key?: SigningKey | null
}

/** An index in a folder of its own, with one publisher `acme`. */
export class TestIndex implements AsyncDisposable {
  readonly directory: string
  readonly fingerprint: string
  /** Of acme. */
  readonly publisher: SigningKey
  readonly #key: SigningKey
  readonly #scratch: string
  #published = 0

  private constructor(
    facts: Pick<TestIndex, 'directory' | 'fingerprint' | 'publisher'> & { scratch: string; key: SigningKey },
  ) {
    this.directory = facts.directory
    this.fingerprint = facts.fingerprint
    this.publisher = facts.publisher
    this.#scratch = facts.scratch
    this.#key = facts.key
  }

  /** Makes an index; acme is trusted as far as this, and has this key. */
  static async create(
    level: 'official' | 'verified' | 'community' = 'verified',
    publisher = createSigningKey('acme-1'),
  ): Promise<TestIndex> {
    const scratch = await mkdtemp(path.join(tmpdir(), 'stoa-index-'))
    const directory = path.join(scratch, 'index')
    const key = createSigningKey('index-1')
    const fingerprint = await initIndex(directory, { title: 'Test', key, expiresDays: 30 })
    await addPublisher(directory, 'acme', publisher, { level })
    const index = new TestIndex({ directory, fingerprint, publisher, scratch, key })
    await index.build()
    return index
  }

  /** Signs what is in the folder. */
  async build(): Promise<void> {
    await buildIndex(this.directory, { keys: [this.#key], expiresDays: 30 })
  }

  /** Packs a plugin and signs it with the publisher's key. */
  async pack(
    name: string,
    { manifest = {}, definition = '{ handlers: {} }', files = {}, key }: SmallRelease = {},
  ): Promise<string> {
    const folder = await mkdtemp(path.join(this.#scratch, 'pack-'))
    const module = `export default ${definition}\n`
    const all = { 'manifest.json': JSON.stringify(manifestOf(name, manifest)), 'dist/index.js': module, ...files }
    for (const [file, content] of Object.entries(all)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
      await writeFile(path.join(folder, file), content)
    }
    const out = path.join(folder, 'packed.plugin.zip')
    const { zip } = await assemblePackage(folder, key === null ? {} : { sign: key ?? this.publisher })
    await writeFile(out, zip)
    return out
  }

  /** Packs a release and lists it; `build` makes it known. */
  async publish(
    name: string,
    release: SmallRelease = {},
    change: Partial<PluginFile['versions'][number]> = {},
  ): Promise<string> {
    const zip = await this.pack(name, release)
    const opened = await openPackage(zip, path.join(this.#scratch, `tree-${(this.#published += 1)}`))
    const home = pluginFolder(name)
    const url = `releases/${name}-${opened.manifest.version}.plugin.zip`
    const known = await readPart(this.directory, `${home}plugin.json`)
    const before = known ? parsePluginFile(known).versions : []
    const published = new Date().toISOString()
    const version = { ...(await describeVersion(opened)), url, published, yanked: null, ...change }
    const plugin = { ...describePlugin(opened.manifest), versions: [version, ...before] }
    await this.write(`${home}${url}`, await readFile(zip))
    for (const [file, content] of Object.entries(release.files ?? {})) {
      if (/^(README|CHANGELOG|icon|screenshots)/.test(file)) await this.write(`${home}${file}`, content)
    }
    await this.write(`${home}plugin.json`, toStableJson(plugin))
    return zip
  }

  /** Writes a file of the index. */
  async write(file: string, content: Buffer | string): Promise<void> {
    const target = path.join(this.directory, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, content)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.#scratch, { recursive: true, force: true })
  }
}
