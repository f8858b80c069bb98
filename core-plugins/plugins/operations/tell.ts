import type { EventRef, Scope } from '#kernel'
import type { Operation } from './operation.ts'

/** Tells what an operation did: to whoever must not miss it once, however often the operation is taken over, and to everybody else. */
export async function tell<P>(
  { emit, emitWithin }: Pick<Scope, 'emit' | 'emitWithin'>,
  operation: Operation,
  event: EventRef<P>,
  payload: P,
): Promise<void> {
  await operation.guarded(async (trx) => {
    const untold = await trx('plugin_operations').where({ id: operation.id, told: false }).update({ told: true })
    if (untold > 0) await emitWithin(trx, event, payload)
  })
  await emit(event, payload)
}
