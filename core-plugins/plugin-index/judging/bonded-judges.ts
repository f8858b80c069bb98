import type { Knex } from 'knex'
import { isBonded, type Ties } from './bonds.ts'
import { publisherOf } from './publisher-of.ts'
import type { SourceSet } from './source-set.ts'
import type { PluginRow } from '../shared/models.ts'
import { getRelease } from '../releases/release-archive.ts'
import type { Hears, LicenceJudges } from '../licences/licence-judges.ts'
import type { LicenceKeys } from '../licences/licence-keys.ts'

type Judged = Pick<PluginRow, 'name' | 'activeRelease' | 'source'>

/**
 * Lets sources take a plugin's licences back: those with a bond to the plugin, or to the key that signed the licence. Any
 * signed index may list any `jti`, and a `jti` is no secret.
 */
export class BondedJudges implements LicenceJudges {
  readonly #db: Knex
  readonly #sources: Pick<SourceSet, 'find'>
  readonly #keys: Pick<LicenceKeys, 'recognise'>

  constructor(db: Knex, sources: Pick<SourceSet, 'find'>, keys: Pick<LicenceKeys, 'recognise'>) {
    this.#db = db
    this.#sources = sources
    this.#keys = keys
  }

  /** Who is heard about licences of a plugin that the key `kid` signed. */
  async of({ name, activeRelease, source }: Judged, kid: string): Promise<Hears> {
    const release = await getRelease(this.#db, activeRelease)
    const origins = [source, release.source]
    const kids = release.kid === null ? [kid] : [kid, release.kid]
    const keys = await Promise.all(kids.map((each) => this.#keys.recognise(publisherOf(name), each)))
    return (from) => keys.some((key) => this.#isHeard(from, { name, origins, key }))
  }

  /** What one said that is away or gone is heard where the plugin, or the key, came from it. */
  #isHeard(source: string, ties: Ties): boolean {
    const open = this.#sources.find(source)
    return open ? isBonded(open, ties) : ties.origins.includes(source) || ties.key?.source === source
  }
}
