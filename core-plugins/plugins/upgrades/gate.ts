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

/** Lets calls in again, to the release that is active; throws 409/4090 when another host took the operation over, which closed it for itself. */
export async function openGate(parts: Parts, operation: Operation, pluginId: number): Promise<void> {
  const generation = await operation.guarded((trx) => wantPlugin(trx, pluginId, { gate: null }))
  await settle(parts, generation, parts.operations.signal)
}

/** Opens the gate after what came to nothing; where that cannot be done now, whoever recovers the operation does it. */
export async function reopenGate(parts: Parts, operation: Operation, pluginId: number): Promise<void> {
  try {
    await openGate(parts, operation, pluginId)
  } catch (error) {
    operation.leave()
    parts.log.warn({ err: error, plugin: operation.plugin }, 'a gate could not be opened yet')
  }
}
