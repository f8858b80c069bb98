import type { Knex } from 'knex'
import type { Principal, Scope } from '#kernel'
import type { Audit } from '../access/contract.ts'
import { canonicalJson } from './canonical-json.ts'
import type { PreferenceTable } from './catalogue.ts'
import { checkValues } from './check-write.ts'
import { preferencesGlobalChanged } from './contract.ts'
import { effectiveOf, effectiveOfAll, type Levels } from './levels.ts'
import type { View, WriteOptions } from './personal-preferences.ts'
import { versionOf } from './present.ts'
import {
  countOverrides,
  deleteGlobal,
  deleteOverrides,
  lockGlobal,
  putGlobal,
  readGlobal,
  type Values,
} from './store.ts'

/** What global preferences stand on. */
interface GlobalParts {
  readonly scope: Scope
  readonly table: PreferenceTable
  readonly audit: Audit
}

/** Who writes, for the log. */
interface GlobalWriteOptions extends WriteOptions {
  readonly actor: Principal
  readonly traceId: string
}

/** What a write did, with the version that holds now. */
interface GlobalWriteResult {
  /** Keys of which another value holds now. */
  readonly changed: readonly string[]
  readonly unchanged: readonly string[]
  readonly overridesRemoved: number
  readonly version: string
}

/** What a write means, compared with what is stored. */
interface Plan {
  readonly changed: readonly string[]
  readonly puts: Values
  readonly deletes: readonly string[]
}

/** What everybody of a tenant, or of the platform (tenant 0), begins with. */
export class GlobalPreferences {
  readonly #parts: GlobalParts

  constructor(parts: GlobalParts) {
    this.#parts = parts
  }

  async view(tenantId: number): Promise<View> {
    return this.#viewOf(await readGlobal(this.#parts.scope.db, tenantId))
  }

  /** Sets global values, null takes one away, and drops every personal value of the keys of which another value holds then. */
  async update(
    tenantId: number,
    values: Readonly<Record<string, unknown>>,
    options: GlobalWriteOptions,
  ): Promise<GlobalWriteResult> {
    const { scope, table } = this.#parts
    checkValues(table, values, options.locale, 'remove')
    const result = await scope.db.transaction((trx) => this.#write(trx, tenantId, values, options))
    if (result.changed.length > 0) await this.#announce(tenantId, result.changed)
    return result
  }

  /** What `update` would do, without doing it. */
  async foresee(
    tenantId: number,
    values: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<GlobalWriteResult> {
    const { scope, table } = this.#parts
    checkValues(table, values, options.locale, 'remove')
    const before = await readGlobal(scope.db, tenantId)
    const { version } = this.#viewOf(before)
    options.requireMatch(version)
    const { changed } = this.#plan(values, before)
    const overridesRemoved = changed.length > 0 ? await countOverrides(scope.db, tenantId, changed) : 0
    return { changed, unchanged: unchangedOf(values, changed), overridesRemoved, version }
  }

  async #write(
    trx: Knex.Transaction,
    tenantId: number,
    values: Readonly<Record<string, unknown>>,
    options: GlobalWriteOptions,
  ): Promise<GlobalWriteResult> {
    await lockGlobal(trx, tenantId)
    const before = await readGlobal(trx, tenantId)
    options.requireMatch(this.#viewOf(before).version)
    const { changed, puts, deletes } = this.#plan(values, before)
    await putGlobal(trx, tenantId, puts, options.actor.userId)
    if (deletes.length > 0) await deleteGlobal(trx, tenantId, deletes)
    const overridesRemoved = changed.length > 0 ? await deleteOverrides(trx, tenantId, changed) : 0
    const { version } = this.#viewOf(await readGlobal(trx, tenantId))
    if (puts.size + deletes.length > 0) await this.#record(trx, tenantId, values, { before, puts, deletes }, options)
    return { changed, unchanged: unchangedOf(values, changed), overridesRemoved, version }
  }

  #plan(values: Readonly<Record<string, unknown>>, before: Levels): Plan {
    const changed: string[] = []
    const puts = new Map<string, unknown>()
    const deletes: string[] = []
    for (const [key, value] of Object.entries(values)) {
      const preference = this.#parts.table.find(key)!
      const holds = effectiveOf(preference, before).value
      if (canonicalJson(holds) !== canonicalJson(value ?? preference.default)) changed.push(key)
      const isStored = before.global.has(key)
      if (value === null) {
        if (isStored) deletes.push(key)
      } else if (!isStored || canonicalJson(before.global.get(key)) !== canonicalJson(value)) puts.set(key, value)
    }
    return { changed, puts, deletes }
  }

  async #record(
    trx: Knex.Transaction,
    tenantId: number,
    values: Readonly<Record<string, unknown>>,
    { before, puts, deletes }: { readonly before: Levels; readonly puts: Values; readonly deletes: readonly string[] },
    { actor, traceId }: GlobalWriteOptions,
  ): Promise<void> {
    const written = Object.keys(values).filter((key) => puts.has(key) || deletes.includes(key))
    const resource = tenantId === 0 ? 'platform_preference' : 'tenant_preference'
    await this.#parts.audit.record(
      {
        tenantId,
        actor,
        action: `${resource}.updated`,
        target: 'preferences:global',
        before: Object.fromEntries(written.map((key) => [key, before.global.get(key) ?? null])),
        after: Object.fromEntries(written.map((key) => [key, values[key]])),
        traceId,
      },
      trx,
    )
  }

  /** The values hold already; a bus that is down must not make the write look failed. */
  async #announce(tenantId: number, keys: readonly string[]): Promise<void> {
    const { scope } = this.#parts
    try {
      await scope.emit(preferencesGlobalChanged, { tenantId, keys })
    } catch (error) {
      scope.log.warn({ err: error, tenantId }, 'other hosts were not told of changed preferences')
    }
  }

  #viewOf(levels: Levels): View {
    const effective = effectiveOfAll(this.#parts.table, levels)
    return { effective, version: versionOf(effective) }
  }
}

function unchangedOf(values: Readonly<Record<string, unknown>>, changed: readonly string[]): readonly string[] {
  return Object.keys(values).filter((key) => !changed.includes(key))
}
