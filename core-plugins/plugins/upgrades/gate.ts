import type { Operation } from '../operations/operation.ts'
import type { Parts } from '../parts.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settle } from '../running/settle.ts'

/** Lets no call in on any host, and waits for those that are in: the schema breaks for them. */
export async function closeGate(parts: Parts, operation: Operation, pluginId: number): Promise<void> {
  const { generation } = await operation.change('gate', async (trx) => ({
    generation: await wantPlugin(trx, pluginId, { gate: 'upgrading' }),
  }))
  await operation.step('drain', async () => {
    await settle(parts, generation, operation.signal)
    await parts.hosts.left(operation.plugin, operation.signal)
  })
}

/** Lets calls in again, to the release that is active. */
export async function openGate(parts: Parts, pluginId: number): Promise<void> {
  const generation = await parts.db.transaction((trx) => wantPlugin(trx, pluginId, { gate: null }))
  await settle(parts, generation, parts.operations.signal)
}
