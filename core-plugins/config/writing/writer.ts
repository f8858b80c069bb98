import type { Checks } from '../extensions/checks.ts'
import type { ConfigNames } from '../names.ts'
import type { Effects } from '../extensions/effects.ts'
import type { FileValues } from '../extensions/files.ts'
import type { Guards } from '../extensions/guards.ts'
import type { ConfigWriter, TenantConfigWorkflow } from '../contract.ts'
import type { Declarations } from '../catalogue/declarations.ts'
import { effectiveValue } from '../reading/effective.ts'
import { ConfigError } from '../errors.ts'
import { shorten, type GroupViews } from '../reading/group-view.ts'
import { ChangeRequest, SystemConfigGroup, SystemConfigValue } from '../models.ts'
import type { Consequence, Outbox } from '../outbox/outbox.ts'
import type { ConfigParts } from '../reading/reader.ts'
import type { Workflow } from './workflow.ts'

/** Who shows groups, writes them and knows which there are. */
interface WriterParts {
  readonly views: GroupViews
  readonly workflow: Workflow
  readonly declarations: Declarations
  readonly outbox: Outbox
  readonly guards: Guards
  readonly files: FileValues
}

/** Makes the writer of groups. */
export function createWriter(
  parts: ConfigParts,
  { views, workflow, declarations, outbox, guards, files }: WriterParts,
): ConfigWriter {
  const { catalogue, records, stored, codec, computed } = parts
  return {
    write: async (groupCode, tenantId, values, options) =>
      workflow.write({ group: views.get(groupCode, tenantId), tenantId, values, options }),
    describe: async (groupCode, tenantId, view) =>
      views.show(views.get(groupCode, tenantId), tenantId, await views.levels(tenantId), view),
    async effectiveOf(groupCode, tenantId, { keyPrefix = '' } = {}) {
      const group = catalogue.findGroup(groupCode)
      if (!group) return {}
      const levels = await views.levels(tenantId)
      const entries = [...group.items.values()].map(async (item) => {
        const { value } = await computed.over(item, tenantId, effectiveValue(item, levels, codec))
        return [shorten(item.key, keyPrefix), value] as const
      })
      return Object.fromEntries(await Promise.all(entries))
    },
    exportGroup: (groupCode, trx) => records.export(groupCode, trx),
    async importGroup(group, values, trx) {
      // What comes from a file was written by nobody whom a guard could ask for more.
      const keys = [...(catalogue.findGroup(group)?.items.keys() ?? [])]
      if (guards.isGuarded(keys)) throw new ConfigError({ fault: `${group} is guarded and cannot be imported` })
      const row = await SystemConfigGroup.with(trx).findOne({ code: group })
      const changed = row ? await records.import(group, values, trx) : new Map<number, ReadonlySet<string>>()
      await files.release(trx, group)
      for (const { tenantId, key, value } of values) {
        const item = catalogue.findGroup(group)?.items.get(key)
        if (item) await files.holdAgain(trx, tenantId, item, codec.decode(item, value))
      }
      const follows: Consequence[] = []
      for (const [tenantId, keys] of changed) {
        const occurrence = { tenantId, group, scope: row?.scope ?? 'ADMIN_ONLY', keys: [...keys], requestId: null }
        follows.push(...(await outbox.add(trx, occurrence)))
      }
      return () => outbox.deliver(follows)
    },
    async removeGroup(groupCode, trx) {
      const removed = await records.remove(groupCode, trx)
      await files.release(trx, groupCode)
      await ChangeRequest.acrossTenants(trx).delete().where('group_code', groupCode)
      stored.forgetAll()
      return removed
    },
    async removeTenant(tenantId, trx) {
      const removed = await SystemConfigValue.of(tenantId, trx).delete()
      await ChangeRequest.of(tenantId, trx).delete()
      stored.forget(tenantId)
      return removed
    },
    hideUnless: (visible) => views.hideUnless(visible),
    keepDeclared: (plugins) => declarations.keep(plugins),
  }
}

/** Makes the one way of tenants' writes, with what other plugins add to it. */
export function createTenantWorkflow(
  writer: ConfigWriter,
  {
    checks,
    effects,
    guards,
    names,
  }: { readonly checks: Checks; readonly effects: Effects; readonly guards: Guards; readonly names: ConfigNames },
): TenantConfigWorkflow {
  return {
    submit: ({ groupCode, tenantId, values, options }) => writer.write(groupCode, tenantId, values, options),
    register: (check) => checks.register(check),
    registerEffect: (effect) => effects.register(effect),
    registerGuard: (guard) => guards.register(guard),
    nameTenants: (source) => names.nameTenants(source),
  }
}
