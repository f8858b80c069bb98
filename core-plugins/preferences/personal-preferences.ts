import type { Locale } from '#kernel'
import type { Knex } from 'knex'
import { canonicalJson } from './canonical-json.ts'
import type { PreferenceTable } from './catalogue.ts'
import { checkKeys, checkValues } from './check-write.ts'
import type { Preferences } from './contract.ts'
import { PreferenceDeclarationError, PreferenceNotFoundError } from './errors.ts'
import { effectiveOf, effectiveOfAll, type Effective, type Owner } from './levels.ts'
import { versionOf } from './present.ts'
import { deletePersonal, lockPersonal, putPersonal, readLevels } from './store.ts'

/** What a write needs beside what it changes. */
export interface WriteOptions {
  readonly locale: Locale
  /** Throws when the writer has seen another version; asked under the write's lock. */
  readonly requireMatch: (version: string) => void
}

/** What holds for a user, and its version. */
export interface View {
  readonly effective: readonly Effective[]
  readonly version: string
}

/** What a write did, with what holds for the user now. */
interface WriteResult extends View {
  readonly changed: readonly string[]
}

/** What single users prefer; read from the database each time, so that every host tells the same. */
export class PersonalPreferences implements Preferences {
  readonly #db: Knex
  readonly #table: PreferenceTable

  constructor(db: Knex, table: PreferenceTable) {
    this.#db = db
    this.#table = table
  }

  async view(owner: Owner): Promise<View> {
    return this.#view(this.#db, owner)
  }

  async versionOf(owner: Owner): Promise<string> {
    return (await this.view(owner)).version
  }

  async get<T>(key: string, owner: Owner): Promise<T> {
    return (await this.getMany<Record<string, T>>([key], owner))[key] as T
  }

  async getMany<V extends object>(keys: readonly (keyof V & string)[], owner: Owner): Promise<V> {
    const wanted = keys.map((key) => {
      const preference = this.#table.find(key)
      if (!preference) throw new PreferenceDeclarationError({ fault: `nobody declares ${key}` })
      return preference
    })
    const levels = await readLevels(this.#db, owner)
    return Object.fromEntries(wanted.map((one) => [one.key, effectiveOf(one, levels).value])) as V
  }

  /** Sets own values, all of them or none; `changed` are those that were not set so already. */
  async update(owner: Owner, values: Readonly<Record<string, unknown>>, options: WriteOptions): Promise<WriteResult> {
    checkValues(this.#table, values, options.locale, 'are-values')
    return this.#write(owner, options, async (trx) => {
      const { personal } = await readLevels(trx, owner)
      const changed = Object.entries(values).filter(
        ([key, value]) => !personal.has(key) || canonicalJson(personal.get(key)) !== canonicalJson(value),
      )
      await putPersonal(trx, owner, new Map(changed))
      return changed.map(([key]) => key)
    })
  }

  /** Drops the own value of one key; throws 404/4040 for a key that nobody declares. */
  async drop(owner: Owner, key: string, options: WriteOptions): Promise<WriteResult> {
    if (!this.#table.find(key)) throw new PreferenceNotFoundError({ key })
    return this.#write(owner, options, (trx) => deletePersonal(trx, owner, [key]))
  }

  /** Drops the own values of these keys, or all there are: also those of plugins that are disabled at the moment. */
  async reset(owner: Owner, keys: readonly string[] | undefined, options: WriteOptions): Promise<WriteResult> {
    if (keys) checkKeys(this.#table, keys, options.locale)
    return this.#write(owner, options, (trx) => deletePersonal(trx, owner, keys))
  }

  /** Forgets a user who was deleted. */
  async forget(owner: Owner): Promise<void> {
    await this.#db.transaction(async (trx) => {
      await lockPersonal(trx, owner)
      await deletePersonal(trx, owner)
    })
  }

  async #write(
    owner: Owner,
    { requireMatch }: WriteOptions,
    work: (trx: Knex.Transaction) => Promise<readonly string[]>,
  ): Promise<WriteResult> {
    return this.#db.transaction(async (trx) => {
      await lockPersonal(trx, owner)
      requireMatch((await this.#view(trx, owner)).version)
      const changed = await work(trx)
      return { changed, ...(await this.#view(trx, owner)) }
    })
  }

  async #view(db: Knex, owner: Owner): Promise<View> {
    const effective = effectiveOfAll(this.#table, await readLevels(db, owner))
    return { effective, version: versionOf(effective) }
  }
}
