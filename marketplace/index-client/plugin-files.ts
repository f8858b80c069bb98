import { ExpiringMap } from '#kernel'
import { isSafePath } from '../index-format/form.ts'
import { indexLimits } from '../index-format/index-limits.ts'
import { parsePluginFile, type PluginFile } from '../index-format/plugin-file.ts'
import { untrusted } from '../index-format/sign-index.ts'
import type { IndexCache } from './index-source.ts'
import type { ListedPlugin } from './listed-snapshot.ts'
import type { IndexTransport } from './transport.ts'
import { sha256Of } from './verify-snapshot.ts'

const freshMs = 15 * 60_000
const keptPlugins = 50
const keptFiles = 100

/** Reads the files in a plugin's folder: those whose hash is known by that, the others as they are. */
export class PluginFiles {
  readonly #transport: IndexTransport
  readonly #cache: IndexCache
  readonly #plugins = new ExpiringMap<string, PluginFile>(keptPlugins)
  readonly #unlisted = new ExpiringMap<string, { readonly bytes: Buffer | undefined }>(keptFiles)

  constructor(transport: IndexTransport, cache: IndexCache) {
    this.#transport = transport
    this.#cache = cache
  }

  /** plugin.json, as index.json names it. */
  async detail({ summary, entry }: ListedPlugin): Promise<PluginFile> {
    const known = this.#plugins.get(entry.sha256)
    if (known) return known
    const path = `${entry.path}plugin.json`
    const plugin = await parsePluginFile.inSlices(await this.#readHashed(path, entry.sha256, indexLimits.pluginBytes))
    if (plugin.name !== summary.name) throw untrusted(path, 'name', 'it is about another plugin')
    if (!plugin.versions.some(({ version }) => version === summary.latest))
      throw untrusted(path, 'latest', 'it does not have the latest version')
    this.#plugins.set(entry.sha256, plugin, freshMs)
    return plugin
  }

  /** A file beside plugin.json; nothing where there is none. Where plugin.json lists its files, no other one is there. */
  async find(listed: ListedPlugin, file: string, maxBytes: number): Promise<Buffer | undefined> {
    if (!isSafePath(file)) return undefined
    const { files } = await this.detail(listed)
    const path = `${listed.entry.path}${file}`
    if (!files) return this.#readUnlisted(path, maxBytes)
    const sha256 = Object.hasOwn(files, file) ? files[file] : undefined
    return sha256 === undefined ? undefined : this.#readHashed(path, sha256, maxBytes)
  }

  async #readHashed(path: string, sha256: string, maxBytes: number): Promise<Buffer> {
    const kept = await this.#cache.findFile(sha256)
    if (kept && sha256Of(kept) === sha256) return kept
    const answer = await this.#transport.read(path, { maxBytes })
    if (answer.kind !== 'read') throw untrusted(path, 'missing', 'it is not there')
    if (sha256Of(answer.bytes) !== sha256) throw untrusted(path, 'hash', 'it is not the one that is named')
    await this.#cache.saveFile(sha256, answer.bytes)
    return answer.bytes
  }

  async #readUnlisted(path: string, maxBytes: number): Promise<Buffer | undefined> {
    const known = this.#unlisted.get(path)
    if (known) return known.bytes
    const answer = await this.#transport.read(path, { maxBytes })
    const bytes = answer.kind === 'read' ? answer.bytes : undefined
    this.#unlisted.set(path, { bytes }, freshMs)
    return bytes
  }
}
