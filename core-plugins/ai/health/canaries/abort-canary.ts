import type { Knex } from 'knex'
import { createSortableId } from '#kernel'
import type { Audit } from '../../../access/contract.ts'
import type { Jobs } from '../../../jobs/contract.ts'
import { ModelRow, ModelVersionRow } from '../../tables.ts'
import { AlertRow } from '../alerts/tables.ts'
import { queueTelling } from '../alerts/tell.ts'
import type { CanaryFigures } from './canary-watch.ts'

/** What ends a canary. */
interface AbortParts {
  readonly db: Knex
  readonly audit: Audit
  readonly jobs: Pick<Jobs, 'enqueue'>
  /** Has this host and the others know. */
  readonly wrote: () => Promise<void>
}

/** Ends a canary, which then is never activated, and tells administrators; nothing happens where it is over. */
export async function abortCanary({ db, audit, jobs, wrote }: AbortParts, figures: CanaryFigures): Promise<void> {
  const { modelId, version, tenantId, attempts, failures } = figures
  const isAborted = await db.transaction(async (trx) => {
    const model = await ModelRow.of(tenantId, trx).findById(modelId).forUpdate()
    const row = await ModelVersionRow.of(tenantId, trx).findById([modelId, version])
    const isRunning = row?.canary && row.abortedAt === null && Date.parse(row.canary.until) > Date.now()
    if (!model || !isRunning) return false
    const now = new Date()
    await ModelVersionRow.of(tenantId, trx).findById([modelId, version]).patch({ abortedAt: now, activatesAt: null })
    await ModelRow.of(tenantId, trx)
      .findById(modelId)
      .patch({ revision: model.revision + 1, updatedAt: now })
    const after = { version, state: 'aborted', attempts, failures }
    const about = { tenantId, actor: null, target: `ai_model:${modelId}`, after }
    await audit.record({ ...about, action: 'ai_model.version_aborted' }, trx)
    const alert = await AlertRow.of(tenantId, trx)
      .insert({
        ...{ id: createSortableId('alt'), ruleId: null, subject: `canary:${modelId}@${String(version)}` },
        ...{ name: `${model.name}@${String(version)}`, metric: 'canary_aborted', value: failures / attempts },
        // Over as soon as it is told: calls go to the version before.
        ...{ since: now, toldAt: now, resolvedAt: now },
      })
      .returning('*')
    await queueTelling(jobs, alert, undefined, 'raised', trx)
    return true
  })
  if (isAborted) await wrote()
}
