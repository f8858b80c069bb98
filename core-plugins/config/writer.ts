import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import type { Audit } from '../access/contract.ts'
import { nameOf, type CatalogueGroup } from './catalogue.ts'
import { configChanged, type ConfigWriter, type WriteOptions, type WriteResult } from './contract.ts'
import { effectiveValue } from './effective.ts'
import { ConfigError } from './errors.ts'
import { shorten, type GroupViews } from './group-view.ts'
import { SystemConfigValue } from './models.ts'
import { checkWrite, planChanges, type Change, type CheckedWrite } from './plan-write.ts'
import { mask } from './present.ts'
import type { ConfigParts } from './reader.ts'
import { readValues } from './stored-values.ts'
import { toStoredText } from './values/stored-text.ts'

/** The first half of the key under which writers of one tenant wait for each other. */
const lockClass = 0x5c0f

/** Makes the writer of groups. */
export function createWriter(scope: Scope, parts: ConfigParts, views: GroupViews, audit: Audit): ConfigWriter {
  const { catalogue, records, stored, secrets } = parts

  async function apply(
    group: CatalogueGroup,
    tenantId: number,
    write: CheckedWrite,
    options: WriteOptions,
  ): Promise<readonly Change[]> {
    // Before the transaction: a question inside it would wait for a second connection.
    const ids = await records.ids()
    return scope.db.transaction(async (trx) => {
      await trx.raw('select pg_advisory_xact_lock(?, ?)', [lockClass, tenantId])
      const platform = await readValues(trx, 0)
      const levels = { ids, platform, tenant: tenantId > 0 ? await readValues(trx, tenantId) : undefined }
      options.requireMatch?.(views.describe(group, tenantId, levels, options).etag)
      const changes = planChanges(write, levels, secrets)
      for (const change of changes) await store(trx, tenantId, change, ids, options.actor?.userId ?? null)
      if (changes.length > 0) await record(trx, group, tenantId, changes, options)
      return changes
    })
  }

  async function store(
    trx: Knex.Transaction,
    tenantId: number,
    { item, after }: Change,
    ids: ReadonlyMap<string, number>,
    updatedBy: number | null,
  ): Promise<void> {
    const configId = ids.get(nameOf(item.scope, item.key))
    if (configId === undefined) throw new ConfigError({ fault: `${item.key} has no row` })
    if (after === undefined) {
      await SystemConfigValue.of(tenantId, trx).delete().where('config_id', configId)
      return
    }
    const value = toStoredText(item.declaration.type, after, secrets)
    await SystemConfigValue.of(tenantId, trx)
      .insert({ configId, value, updatedBy, updatedAt: new Date() })
      .onConflict(['config_id', 'tenant_id'])
      .merge()
  }

  async function record(
    trx: Knex.Transaction,
    group: CatalogueGroup,
    tenantId: number,
    changes: readonly Change[],
    { actor, traceId }: WriteOptions,
  ): Promise<void> {
    const side = (pick: (change: Change) => unknown): object =>
      Object.fromEntries(
        changes.map((change) => [change.item.key, change.item.declaration.type === 'PASSWORD' ? mask : pick(change)]),
      )
    const [before, after] = [side((change) => change.before), side((change) => change.after ?? null)]
    const entry = { tenantId, actor, action: 'config.changed', target: `config:${group.code}`, before, after }
    await audit.record({ ...entry, ...(traceId !== undefined && { traceId }) }, trx)
  }

  /** The values hold already; a bus that is down must not make the write look failed. */
  async function announce(group: CatalogueGroup, tenantId: number, changes: readonly Change[]): Promise<void> {
    stored.forget(tenantId)
    const keys = changes.map(({ item }) => item.key)
    try {
      await scope.emit(configChanged, { scope: group.declaration.scope, group: group.code, keys, tenantId })
    } catch (error) {
      scope.log.warn({ err: error, group: group.code }, 'other hosts read the change when their copy is a minute old')
    }
  }

  return {
    async write(groupCode, tenantId, values, options): Promise<WriteResult> {
      const group = views.get(groupCode, tenantId)
      const write = checkWrite(group, values, options.reset ?? [], options)
      const changes = await apply(group, tenantId, write, options)
      if (changes.length > 0) await announce(group, tenantId, changes)
      const { items, etag } = views.describe(group, tenantId, await views.levels(tenantId), options)
      const short = (key: string): string => shorten(key, options.keyPrefix ?? '')
      const keysOf = (kind: Change['kind']): string[] =>
        changes.flatMap((change) => (change.kind === kind ? [short(change.item.key)] : []))
      const updated = keysOf('update')
      const unchanged = Object.keys(values).filter((key) => !updated.includes(key))
      return { group: groupCode, updated, unchanged, reset: keysOf('reset'), pending: [], items, etag }
    },
    async describe(groupCode, tenantId, view) {
      return views.describe(views.get(groupCode, tenantId), tenantId, await views.levels(tenantId), view)
    },
    async effectiveOf(groupCode, tenantId, { keyPrefix = '' } = {}) {
      const group = catalogue.findGroup(groupCode)
      if (!group) return {}
      const levels = await views.levels(tenantId)
      const entries = [...group.items.values()].map((item) => {
        return [shorten(item.key, keyPrefix), effectiveValue(item, levels, secrets).value] as const
      })
      return Object.fromEntries(entries)
    },
    exportGroup: (groupCode, trx) => records.export(groupCode, trx),
    async removeGroup(groupCode, trx) {
      const removed = await records.remove(groupCode, trx)
      stored.forgetAll()
      return removed
    },
    async removeTenant(tenantId, trx) {
      const removed = await SystemConfigValue.of(tenantId, trx).delete()
      stored.forget(tenantId)
      return removed
    },
    hideUnless: (visible) => views.hideUnless(visible),
  }
}
