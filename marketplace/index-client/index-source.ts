import type { GuardedFetch, Localised } from '#kernel'
import type { Category } from '../index-format/categories-file.ts'
import type { Engines, IndexTrust } from '../index-format/index-file.ts'
import type { PluginFile, PluginVersion } from '../index-format/plugin-file.ts'
import type { PublishersFile } from '../index-format/publishers-file.ts'
import type { Rating } from '../index-format/ratings-file.ts'
import type { ReviewFile } from '../index-format/review-file.ts'
import type { Revocation, RevocationsFile } from '../index-format/revocations-file.ts'
import type { StoredSnapshot } from './stored-snapshot.ts'

/** Where an index is, and what it takes to believe it. */
export interface IndexSourceOptions {
  /** Of the source on this site; stands in errors and summaries. */
  readonly id: string
  /** The folder of index.json: https, http or file. */
  readonly url: string
  /** Sent to the index's own origin only, such as a token for a private repository. */
  readonly headers?: Readonly<Record<string, string>>
  /** SHA-256 of root.json, pinned by an administrator. Without it the first root that is seen is pinned. */
  readonly rootFingerprint?: string
  /** Whether the index has no root: nothing of it is trusted then beyond `unsigned`. */
  readonly unsigned?: boolean
  /** Hosts that packages and redirects may lead to beside the index's own. */
  readonly downloadHosts?: readonly string[]
  /** The most bytes of a package. */
  readonly packageBytes?: number
}

/** Where the last good snapshot and the files it names outlive the process. */
export interface IndexCache {
  /** The snapshot that was saved last. */
  load(): Promise<StoredSnapshot | undefined>
  save(snapshot: StoredSnapshot): Promise<void>
  /** A file by its SHA-256. What comes back is verified: the cache is trusted with nothing. */
  findFile(sha256: string): Promise<Buffer | undefined>
  saveFile(sha256: string, bytes: Buffer): Promise<void>
}

/** What a source works with. */
export interface IndexSourceTools {
  readonly fetch: Pick<GuardedFetch, 'fetch' | 'stream'>
  readonly cache: IndexCache
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Between two tries, in milliseconds; rejects when the signal ends it. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** What any package may take, beside the time for its size at the slowest that is waited for; 30 s unless said otherwise. */
  readonly graceMs?: number
}

/** A plugin in a list: all of it from index.json, nothing is fetched. */
export interface IndexSummary {
  /** The source's id. */
  readonly source: string
  readonly name: string
  readonly publisher: string
  readonly title: Localised
  readonly description: Localised
  readonly latest: string
  /** ISO 8601. */
  readonly updated: string
  /** What the index says; `unsigned` for every plugin of a source without a root. */
  readonly trust: IndexTrust
  readonly categories: readonly string[]
  readonly keywords: readonly string[]
  readonly capabilities: readonly string[]
  readonly engines: Engines | undefined
  readonly hasIcon: boolean
  readonly rating: Rating | undefined
  /** Of the latest version. */
  readonly revocation: Revocation | undefined
}

/** Which plugins are listed, and in which order; what is left out does not matter. */
export interface IndexQuery {
  /** Words that all occur in the name, title, description, keywords or publisher, in any language. */
  readonly q?: string
  readonly category?: string
  readonly publisher?: string
  readonly capability?: string
  readonly trust?: IndexTrust
  /** By name unless said otherwise; `updated` and `rating` begin with the greatest. */
  readonly sort?: 'name' | 'updated' | 'rating'
}

/** Why the last refresh did not succeed. */
export interface SourceFailure {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  /** ISO 8601. */
  readonly at: string
}

/** How a source is doing. */
export interface SourceState {
  /** Of the snapshot that is listed; nothing before the first one. */
  readonly sequence: number | undefined
  readonly generated: string | undefined
  readonly expires: string | undefined
  /** Whether `expires` has passed: the index may be withheld from us. A warning, never a reason to stop. */
  readonly isStale: boolean
  /** What is pinned by now; to be kept by whoever keeps the source. */
  readonly rootFingerprint: string | undefined
  readonly rootVersion: number | undefined
  readonly plugins: number
  /** When the index was last asked and answered well, ISO 8601. */
  readonly refreshedAt: string | undefined
  readonly failure: SourceFailure | undefined
}

/** A README or changelog, as Markdown; `renderMarkdown` makes HTML of it. */
export interface LocalisedText {
  readonly path: string
  /** The language of the file; `default` for the one without a language. */
  readonly locale: string
  readonly text: string
}

/** An icon or image. */
export interface IndexImage {
  readonly path: string
  readonly type: 'image/png' | 'image/webp' | 'image/jpeg' | 'image/gif'
  readonly bytes: Buffer
}

/** A package that lies on the disk, with exactly the bytes the index names. */
export interface Downloaded {
  readonly version: PluginVersion
  readonly size: number
  readonly sha256: string
}

/** What may be said about a download. */
export interface DownloadOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (received: number, size: number) => void
}

/** One index, as this site sees it: the last snapshot that was verified, whatever the network does. */
export interface IndexSource {
  readonly id: string
  readonly state: SourceState
  /** Takes up what the cache holds, verified again. Says whether there is a snapshot now. */
  load(): Promise<boolean>
  /** Asks the index, unless it was asked within 15 minutes or `force` is set. Never throws: a failure leaves the last good snapshot and is in the state. */
  refresh(options?: { readonly force?: boolean; readonly signal?: AbortSignal }): Promise<SourceState>
  /** From memory. */
  list(query?: IndexQuery): readonly IndexSummary[]
  find(name: string): IndexSummary | undefined
  readonly categories: readonly Category[]
  readonly publishers: PublishersFile
  readonly revocations: RevocationsFile
  /** plugin.json, verified. Throws IndexEntryNotFoundError, or why it cannot be had. */
  detail(name: string): Promise<PluginFile>
  /** README.{locale}.md, README.{language}.md, README.md: the first there is. */
  readme(name: string, locale?: string): Promise<LocalisedText | undefined>
  changelog(name: string, locale?: string): Promise<LocalisedText | undefined>
  icon(name: string): Promise<IndexImage | undefined>
  /** An image beside the README. Throws IndexFileNotFoundError for anything else. */
  image(name: string, path: string): Promise<IndexImage>
  review(name: string, version: string): Promise<ReviewFile | undefined>
  /** Writes a package to a file that does not exist yet; none is left where it throws. */
  download(name: string, version: string, target: string, options?: DownloadOptions): Promise<Downloaded>
}
