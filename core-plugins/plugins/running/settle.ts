import { pluginsChanged } from '../contract.ts'
import type { Parts } from '../parts.ts'

/** Tells every host that something else is wanted, and resolves when all that live have followed. */
export async function settle(
  { emit, converger, hosts }: Pick<Parts, 'emit' | 'converger' | 'hosts'>,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  await emit(pluginsChanged, { generation })
  await converger.converge()
  await hosts.converged(generation, signal)
}
