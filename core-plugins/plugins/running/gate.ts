import type { Knex } from 'knex'
import { PluginRow } from '../shared/models.ts'
import { wantPlugin } from './desired-state.ts'
import { settle } from './settle.ts'
import type { QuarantineNeeds, SettleNeeds, Stage } from './needs.ts'

interface Closing {
  readonly generation: number
}

/** Lets no call in on any host: the schema breaks for them. */
export async function closeGate(
  trx: Knex.Transaction,
  { plugin }: { readonly plugin: Pick<PluginRow, 'id'> },
): Promise<Closing> {
  return { generation: await wantPlugin(trx, plugin.id, { gate: 'upgrading' }) }
}

/** Waits for the calls that are in behind the gate that the step `gate` closed. */
export async function drain({ parts, operation }: Stage<SettleNeeds>): Promise<void> {
  await settle(parts, operation.result<Closing>('gate').generation, operation.signal)
  await parts.hosts.left(operation.plugin, operation.signal)
}

/** Lets calls in again where none are, to the release that is active; throws 409/4090 when another host took the operation over, which does so itself. */
export async function openGate({
  parts,
  operation,
}: Stage<SettleNeeds & Pick<QuarantineNeeds, 'operations'>>): Promise<void> {
  const plugin = await PluginRow.with(parts.db).findOne({ name: operation.plugin })
  if (!plugin || plugin.gate === null) return
  const generation = await operation.guarded((trx) => wantPlugin(trx, plugin.id, { gate: null }))
  await settle(parts, generation, parts.operations.signal)
}
