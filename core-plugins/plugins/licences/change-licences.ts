import type { Principal } from '#kernel'
import type { LicenceWork } from '../contract-licences.ts'
import { PluginNotFoundError } from '../shared/errors.ts'
import { PluginRow } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import type { Operation } from '../operations/operation.ts'
import type { SettleNeeds } from '../running/needs.ts'
import type { LicenceNeeds } from './needs.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'

/** Changes the licences of a plugin under its lock, writes it down, and resolves when every living host knows. */
export async function changeLicences(
  parts: LicenceNeeds,
  plugin: PluginRow,
  { kind, actor }: { readonly kind: OperationKind; readonly actor: Principal },
  work: LicenceWork,
): Promise<void> {
  const request = { plugin: plugin.name, pluginId: plugin.id, kind, actor: actor.userId }
  await parts.operations.run(request, async (operation) => {
    await operation.change(
      'commit',
      async (trx) => {
        const row = await PluginRow.with(trx).findById(plugin.id).forUpdate()
        if (!row || row.removing) throw new PluginNotFoundError()
        const changed = await work(trx)
        await parts.audit.record({ tenantId: 0, actor, target: `plugin:${row.name}`, ...changed }, trx)
        for (const rows of parts.rows.all) await rows.hurry?.(trx, row.id)
        return { generation: await wantPlugin(trx, row.id, {}) }
      },
      { commits: true },
    )
    await finishLicenceChange(parts, operation)
  })
}

/** What is left to do once the licences of a plugin changed. */
export async function finishLicenceChange(parts: SettleNeeds, operation: Operation): Promise<void> {
  const { generation } = operation.result<{ generation: number }>('commit')
  await operation.step('converge', () => settle(parts, generation, operation.signal))
}
