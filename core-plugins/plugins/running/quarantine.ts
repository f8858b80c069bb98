import type { Said } from '#kernel'
import { pluginsQuarantined } from '../contract.ts'
import { PluginRow } from '../shared/models.ts'
import { texts } from '../texts/texts.ts'
import { queueNotice } from './notices.ts'
import type { QuarantineNeeds } from './needs.ts'
import { wantPlugin } from './desired-state.ts'
import { settle } from './settle.ts'

/** Pauses a plugin that failed too often, until an administrator looks at it, who is told; its routes answer 503. With a release: only while that is the one in use. */
export async function quarantinePlugin(
  parts: QuarantineNeeds,
  name: string,
  reason: Said,
  release?: number,
): Promise<void> {
  const generation = await parts.db.transaction(async (trx) => {
    const row = await PluginRow.with(trx).findOne({ name, status: 'enabled', removing: false }).forUpdate()
    if (!row || (release !== undefined && row.activeRelease !== release)) return undefined
    const entry = {
      tenantId: 0,
      actor: null,
      action: 'plugin.quarantined',
      target: `plugin:${name}`,
      after: { reason: reason.words },
    }
    await parts.audit.record(entry, trx)
    const title = texts.keep('notice.quarantined', { plugin: name })
    await queueNotice(trx, parts.jobs, { plugin: name, title, body: reason })
    return wantPlugin(trx, row.id, { status: 'quarantined', reason })
  })
  if (generation === undefined) return
  await settle(parts, generation, parts.operations.signal)
  await parts.emit(pluginsQuarantined, { name, reason: reason.words })
}
