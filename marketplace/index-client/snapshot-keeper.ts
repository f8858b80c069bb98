import { AppError } from '#kernel'
import { fetchSnapshot, requireSerial, type KnownSnapshot } from './fetch-snapshot.ts'
import type { IndexSourceOptions, IndexSourceTools, SourceFailure, SourceState } from './index-source.ts'
import { ListedSnapshot } from './listed-snapshot.ts'
import type { StoredSnapshot } from './stored-snapshot.ts'
import type { IndexTransport } from './transport.ts'
import { explainFailure, unavailable } from './unavailable.ts'
import { verifyHead, verifySideFiles, type Pin, type VerifiedSnapshot } from './verify-snapshot.ts'

const freshMs = 15 * 60_000
/** How long an index that failed is left alone. */
const failedMs = 60_000

/** How a refresh may be asked for. */
interface RefreshOptions {
  readonly force?: boolean
  readonly signal?: AbortSignal
}

/** Keeps the last good snapshot of a source: takes a newer one up when it holds, and lets none go when it does not. */
export class SnapshotKeeper {
  readonly #source: string
  readonly #pin: Pin
  readonly #tools: IndexSourceTools
  readonly #transport: IndexTransport
  readonly #now: () => number
  #snapshot: ListedSnapshot | undefined
  #known: KnownSnapshot | undefined
  #refreshed: number | undefined
  #asked: number | undefined
  #failure: SourceFailure | undefined
  #running: Promise<void> | undefined

  constructor(options: IndexSourceOptions, tools: IndexSourceTools, transport: IndexTransport) {
    this.#source = options.id
    this.#pin = options
    this.#tools = tools
    this.#transport = transport
    this.#now = tools.now ?? Date.now
  }

  /** The snapshot that is listed. */
  get snapshot(): ListedSnapshot | undefined {
    return this.#snapshot
  }

  /** How the source is doing. */
  get state(): SourceState {
    const { head, verified, size = 0 } = this.#snapshot ?? {}
    return {
      sequence: head?.sequence,
      generated: head?.generated,
      expires: head?.expires,
      isStale: head !== undefined && Date.parse(head.expires) <= this.#now(),
      rootFingerprint: verified?.root?.fingerprint,
      rootVersion: verified?.root?.root.version,
      plugins: size,
      refreshedAt: this.#refreshed === undefined ? undefined : new Date(this.#refreshed).toISOString(),
      failure: this.#failure,
    }
  }

  /** Takes up what the cache holds, where it holds and is newer than what is listed. */
  async load(): Promise<boolean> {
    try {
      const stored = await this.#tools.cache.load()
      if (stored && stored.sequence > (this.#known?.sequence ?? 0)) await this.#takeStored(stored)
    } catch (error) {
      this.#failure = this.#describe(error)
    }
    return this.#snapshot !== undefined
  }

  /** Asks the index for a newer snapshot, unless it was asked a short while ago; several askers wait for one answer. */
  async refresh({ force = false, signal }: RefreshOptions = {}): Promise<SourceState> {
    const isFresh = this.#asked !== undefined && this.#now() - this.#asked < (this.#failure ? failedMs : freshMs)
    if (this.#running || force || !isFresh) {
      this.#running ??= this.#refresh(signal).finally(() => (this.#running = undefined))
      await this.#running
    }
    return this.state
  }

  async #refresh(signal: AbortSignal | undefined): Promise<void> {
    this.#asked = this.#now()
    try {
      if (!this.#known) await this.#loadKnown()
      let stored: Promise<StoredSnapshot | undefined> | undefined
      const loadStored = () => (stored ??= this.#tools.cache.load())
      const fetched = await fetchSnapshot({
        source: this.#source,
        transport: this.#transport,
        pin: this.#effectivePin(),
        known: this.#known,
        loadStored,
        signal,
      })
      const now = this.#now()
      if (fetched) {
        const { verified, files } = fetched
        await this.#learnFromOthers(await loadStored(), verified)
        const { sequence } = verified.index
        await this.#tools.cache.save({ sequence, fetched: new Date(now).toISOString(), files })
        await this.#take(verified, files)
      }
      this.#refreshed = now
      this.#failure = undefined
    } catch (error) {
      this.#failure = this.#describe(error)
    }
  }

  /** Before the first answer is believed: what was seen before this process stands over it. A snapshot that does not hold is none. */
  async #loadKnown(): Promise<void> {
    const stored = await this.#tools.cache.load()
    if (!stored) return
    try {
      await this.#takeStored(stored)
    } catch {
      // It was stored for another root, or damaged: the index is asked for all of it.
    }
  }

  /** What another host stored meanwhile stands over what was fetched here. */
  async #learnFromOthers(stored: StoredSnapshot | undefined, fetched: VerifiedSnapshot): Promise<void> {
    if (!stored || stored.sequence <= (this.#known?.sequence ?? 0)) return
    await this.#takeStored(stored).catch(() => undefined)
    requireSerial(fetched, this.#known)
  }

  async #takeStored({ files, fetched }: StoredSnapshot): Promise<void> {
    await this.#take(await verifySideFiles(await verifyHead(files, this.#pin), files), files)
    this.#refreshed = Date.parse(fetched)
  }

  async #take(verified: VerifiedSnapshot, files: StoredSnapshot['files']): Promise<void> {
    const snapshot = await ListedSnapshot.of(this.#source, verified)
    // A later one may have been taken up meanwhile.
    if (this.#known && this.#known.sequence > verified.index.sequence) return
    requireSerial(verified, this.#known)
    this.#known = {
      sequence: verified.index.sequence,
      indexHash: verified.indexHash,
      rootFingerprint: verified.root?.fingerprint,
      indexEtag: files['index.json']?.etag,
      rootEtag: files['root.json']?.etag,
      publishers: signedList(verified),
    }
    this.#snapshot = snapshot
  }

  /** A root that was reached by rotations is not left for an older one. */
  #effectivePin(): Pin {
    const rootFingerprint = this.#known?.rootFingerprint
    return rootFingerprint === undefined ? this.#pin : { ...this.#pin, rootFingerprint }
  }

  #describe(error: unknown): SourceFailure {
    const known = explainFailure(this.#source, error)
    const shown =
      known instanceof AppError ? known : unavailable(this.#source, 'internal', 'something else failed', error)
    const { code, reason, message, details = {} } = shown
    return { code, reason, message, details, at: new Date(this.#now()).toISOString() }
  }
}

function signedList({ root, publishers: { serial }, index }: VerifiedSnapshot): KnownSnapshot['publishers'] {
  const hash = index.files['publishers.json']
  if (root?.root.keysThreshold === undefined || serial === undefined || hash === undefined) return undefined
  return { serial, hash }
}
