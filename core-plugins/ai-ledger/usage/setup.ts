import type { Scope } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { forgetWindows } from '../quotas/forget-windows.ts'
import { dropPartitions, makePartitions } from './partitions.ts'
import { sumAllUsage } from './sum-usage.ts'

const sumMs = 1_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Builds what is made of the ledger: sums, and partitions that come ahead and go when they are old. */
export async function setupUsage(scope: Scope, config: ConfigReader): Promise<void> {
  const { db, log } = scope
  await makePartitions(db)
  scope.every(sumMs, () => sumAllUsage(db))
  scope.every(hourMs, async () => {
    await makePartitions(db)
    const days = await config.get<number>('ai_usage_retention_days', 0, 400)
    const before = new Date(Date.now() - days * dayMs)
    await forgetWindows(db, before)
    let dropped = 0
    for (const table of ['ai_usage', 'ai_usage_hours', 'ai_usage_tags'] as const) {
      dropped += await dropPartitions(db, table, before)
    }
    if (dropped > 0) log.info({ dropped }, 'old months of the ledger of AI calls are gone')
  })
}
