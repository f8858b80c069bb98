import type { PluginOperations, Stop } from '../contract-operations.ts'
import type { Operation } from '../operations/operation.ts'
import { wantPlugin } from '../running/desired-state.ts'
import type { EnableNeeds } from './needs.ts'
import { OperationInProgressError } from '../shared/errors.ts'
import { PluginRow, type PluginStatus } from '../shared/models.ts'
import { finishDisable } from './enable.ts'

const running: ReadonlySet<PluginStatus> = new Set<PluginStatus>(['enabled', 'quarantined'])

/** Switches a plugin off by nobody's hand, as an operation like any other; answers false for one that is busy. */
export async function stopPlugin(
  parts: EnableNeeds,
  { id, name }: Parameters<PluginOperations['stop']>[0],
  stop: Stop,
): Promise<boolean> {
  const request = { plugin: name, pluginId: id, kind: 'disable', actor: null, options: stop.options } as const
  try {
    await parts.operations.run(request, (operation) => stopWithin(parts, operation, id, stop))
    return true
  } catch (error) {
    if (error instanceof OperationInProgressError) return false
    throw error
  }
}

async function stopWithin(parts: EnableNeeds, operation: Operation, id: number, { reason, mark }: Stop): Promise<void> {
  const plugin = await PluginRow.with(parts.db).findById(id)
  if (!plugin || plugin.removing || !running.has(plugin.status)) return mark(parts.db)
  await operation.change(
    'commit',
    async (trx) => {
      await mark(trx)
      const change = { before: { status: plugin.status }, after: { status: 'installed', reason } }
      const entry = { tenantId: 0, actor: null, action: 'plugin.disabled', target: `plugin:${plugin.name}`, ...change }
      await parts.audit.record(entry, trx)
      return { generation: await wantPlugin(trx, id, { status: 'installed', reason }, { reload: true }) }
    },
    { commits: true },
  )
  await finishDisable(parts, operation)
}
