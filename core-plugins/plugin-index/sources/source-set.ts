import type { GuardedFetch, SecretBox } from '#kernel'
import { openIndexSource, type IndexSource } from '#marketplace'
import type { Knex } from 'knex'
import { SourceRow } from './models.ts'
import { openSourceCache } from './source-cache.ts'
import { openHeaders } from './source-headers.ts'

/** An enabled source with what this host has read of it. */
export interface OpenSource {
  readonly row: SourceRow
  readonly index: IndexSource
}

/** What the set stands on. */
interface SourceSetParts {
  readonly db: Knex
  readonly secrets: SecretBox
  readonly fetch: Pick<GuardedFetch, 'fetch' | 'stream'>
}

/** The enabled sources as this host sees them, in memory. */
export class SourceSet {
  readonly #parts: SourceSetParts
  #open: readonly OpenSource[] = []
  #following: Promise<void> = Promise.resolve()
  #generation = 0

  constructor(parts: SourceSetParts) {
    this.#parts = parts
  }

  /** Those that are enabled, the first to be asked first. */
  get all(): readonly OpenSource[] {
    return this.#open
  }

  /** Another number whenever anything about the sources may be another. */
  get generation(): number {
    return this.#generation
  }

  /** An enabled source, or undefined. */
  find(id: string): OpenSource | undefined {
    return this.#open.find(({ row }) => row.id === id)
  }

  /** Takes up what the database says: sources that came, changed or went, and what another host read of them. */
  follow(): Promise<void> {
    this.#following = this.#following.then(
      () => this.#follow(),
      () => this.#follow(),
    )
    return this.#following
  }

  async #follow(): Promise<void> {
    const rows = await SourceRow.with(this.#parts.db).where({ enabled: true }).orderBy(['priority', 'id'])
    const open: OpenSource[] = []
    let isSame = rows.length === this.#open.length
    for (const [at, row] of rows.entries()) {
      const known = this.#open.find((each) => each.row.id === row.id)
      const index = known && isSameSource(known, row) ? known.index : this.#openIndex(row)
      const isNews = row.sequence !== null && Number(row.sequence) !== index.state.sequence
      if (isNews) await index.load()
      const { row: before } = this.#open[at] ?? {}
      isSame &&= !isNews && known?.index === index && before?.id === row.id && isSameOffer(before, row)
      open.push({ row, index })
    }
    this.#open = open
    if (!isSame) this.#generation += 1
  }

  #openIndex(row: SourceRow): IndexSource {
    const { db, secrets, fetch } = this.#parts
    const { id, url, unsigned, downloadHosts, rootFingerprint } = row
    const headers = openHeaders(secrets, row.headers)
    const pinned = rootFingerprint === null ? {} : { rootFingerprint }
    return openIndexSource(
      { id, url, headers, unsigned, downloadHosts, ...pinned },
      { fetch, cache: openSourceCache(db, row) },
    )
  }
}

/** Whether an open source is still the one that a row describes. */
function isSameSource({ row: before, index }: OpenSource, row: SourceRow): boolean {
  const isPinned = row.rootFingerprint === before.rootFingerprint || row.rootFingerprint === index.state.rootFingerprint
  // Sealing the same headers twice gives two texts, and only a change seals them.
  return isPinned && before.headers === row.headers && placeOf(before) === placeOf(row)
}

function placeOf({ url, unsigned, downloadHosts }: SourceRow): string {
  return JSON.stringify([url, unsigned, downloadHosts])
}

/** Whether lists that were made of one row hold for the other. */
function isSameOffer(one: SourceRow, other: SourceRow): boolean {
  const offerOf = ({ name, priority, minTrust, maxTrust, allow, deny, sequence }: SourceRow) =>
    JSON.stringify([name, priority, minTrust, maxTrust, allow, deny, sequence])
  return offerOf(one) === offerOf(other)
}
