import type { AppError, Said } from '#kernel'
import { pluginsChanged } from '../contract.ts'
import { PluginNotStartedError } from '../shared/errors.ts'
import { getPlugin } from '../shared/find-plugin.ts'
import type { Operation } from '../operations/operation.ts'
import type { SettleNeeds } from './needs.ts'

/** As long as an operation that came to nothing yet waits for its next attempt. */
const retrySeconds = 5

/** Tells every host that something else is wanted, and resolves when all that live have followed. */
export async function settle(
  { emit, converger, hosts }: Pick<SettleNeeds, 'emit' | 'converger' | 'hosts'>,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  await emit(pluginsChanged, { generation })
  await converger.converge()
  await hosts.converged(generation, signal)
}

/**
 * The same for an operation after which the plugin is to run as it is wanted now: throws 503/5030 while no host that lives can start it
 * so, for a fault that passes. One that cannot, beside others that do, holds nobody up.
 */
export async function settleRunning(
  parts: SettleNeeds,
  { id, plugin, signal }: Pick<Operation, 'id' | 'plugin' | 'signal'>,
  generation: number,
): Promise<void> {
  await settle(parts, generation, signal)
  const why = await parts.hosts.faultOfAll(plugin)
  if (why === undefined) return
  const { status } = await getPlugin(parts.db, plugin)
  if (status === 'enabled') throw notStarted(id, why)
}

/** What the caller of an operation is told whose plugin no host can start yet. */
export function notStarted(operationId: string, why: string | Said): AppError {
  return new PluginNotStartedError({ why }, { details: { operation_id: operationId, retry_after: retrySeconds } })
}
