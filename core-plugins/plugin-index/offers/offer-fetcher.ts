import path from 'node:path'
import { openPackage, verifyPackage, type OpenedPackage, type PluginVersion } from '#marketplace'
import type {
  DownloadedRelease,
  IncomingRelease,
  OfferedRelease,
  PackageIntake,
  PluginDirectory,
  TakingTerms,
  WantedRelease,
} from '../../plugins/contract.ts'
import type { PublisherKeys } from '../publishers/publisher-keys.ts'
import { chooseSource } from './choose-source.ts'
import { chooseVersion } from './choose-version.ts'
import { OfferMismatchError } from '../errors.ts'
import { installedVersions } from './installed-versions.ts'
import type { KeptPackages } from './kept-packages.ts'
import { requireDependencies } from './require-dependencies.ts'
import type { OpenSource, SourceSet } from '../sources/source-set.ts'

/** What taking packages from sources stands on. */
interface OfferFetcherParts {
  readonly directory: Pick<PluginDirectory, 'list'>
  readonly intake: PackageIntake
  readonly sources: SourceSet
  readonly keys: PublisherKeys
  /** What was brought to say what it would do. */
  readonly kept: KeptPackages
  /** Aborted when this host stops. */
  readonly signal: AbortSignal
}

/** Takes packages from the sources; what is wrong with one shows before anything of it is kept. */
export class OfferFetcher {
  readonly #parts: OfferFetcherParts

  constructor(parts: OfferFetcherParts) {
    this.#parts = parts
  }

  /** Throws 404/4046 for what no source has, 400/4009 for what is refused, 409/4094 for another source's, 502/5023 for a source that fails. */
  async find({ name, version, channel, source }: WantedRelease): Promise<OfferedRelease> {
    const { directory, intake } = this.#parts
    const open = await chooseSource(this.#parts, name, source)
    await intake.requireName(name, open.row)
    const file = await open.index.detail(name)
    const installed = (await installedVersions(directory, [name])).get(name)
    const chosen = await chooseVersion(file, open, { version, channel, installed, intake })
    await requireDependencies(this.#parts, chosen)
    return {
      ...{ name, version: chosen.version, treeHash: chosen.treeHash, source: open.row.id, size: chosen.size },
      download: (options) => this.#download(open, name, chosen, options),
    }
  }

  /** Finds one and brings it here. */
  async fetch(wanted: WantedRelease, terms: TakingTerms = {}): Promise<IncomingRelease & AsyncDisposable> {
    const offered = await this.find(wanted)
    const downloaded = await offered.download()
    try {
      const incoming = await downloaded.verify(terms)
      return { ...incoming, [Symbol.asyncDispose]: () => downloaded[Symbol.asyncDispose]() }
    } catch (error) {
      await downloaded[Symbol.asyncDispose]()
      throw error
    }
  }

  async #download(
    open: OpenSource,
    name: string,
    version: PluginVersion,
    { onProgress, signal: asked }: NonNullable<Parameters<OfferedRelease['download']>[0]> = {},
  ): Promise<DownloadedRelease> {
    const { intake, kept, signal: stopping } = this.#parts
    const signal = asked ? AbortSignal.any([stopping, asked]) : stopping
    const staged = await intake.stage()
    const { folder } = staged
    const zip = path.join(folder, 'pkg.zip')
    try {
      if (await kept.take(version, zip)) onProgress?.(version.size, version.size)
      else await open.index.download(name, version.version, zip, { signal, ...(onProgress && { onProgress }) })
    } catch (error) {
      await staged[Symbol.asyncDispose]()
      throw error
    }
    return {
      verify: async (terms = {}) => {
        const opened = await openPackage(zip, path.join(folder, 'tree'), { signal })
        requireSame(open, { name, version }, opened)
        const trust = await this.#trust(open, opened, terms)
        // Whoever reads what it would do wants it soon, and has it then without its source.
        if (terms.isTrial) await kept.keep(zip, version)
        return { opened, zip, trust, source: open.row.id, publisherSignature: opened.signature }
      },
      [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
    }
  }

  async #trust(
    { row }: OpenSource,
    opened: OpenedPackage,
    { isTrial = false }: TakingTerms,
  ): Promise<IncomingRelease['trust']> {
    const { keys, intake } = this.#parts
    const { manifest } = opened
    const { level } = await verifyPackage(opened, keys.trustOf(manifest.publisher, row.id))
    await intake.requireOffer(manifest, level, row)
    if (opened.signature && !isTrial) await keys.believe(manifest.publisher, row.id)
    return level
  }
}

/** The zip has the bytes that the index names; what is in it must be what the index says of them. */
function requireSame(
  { row }: OpenSource,
  { name, version }: { readonly name: string; readonly version: PluginVersion },
  { manifest, treeHash, signature }: OpenedPackage,
): void {
  const refuse = (problem: string) => new OfferMismatchError({ source: row.id, problem })
  if (manifest.name !== name) throw refuse(`it is ${manifest.name}`)
  if (manifest.version !== version.version) throw refuse(`it is version ${manifest.version}`)
  if (treeHash !== version.treeHash) throw refuse('it holds other files')
  if ((signature?.kid ?? null) !== version.kid || (signature?.sig ?? null) !== version.sig) {
    throw refuse('it is signed by another key, or not at all')
  }
}
