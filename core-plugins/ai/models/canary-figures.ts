import type { Knex } from 'knex'
import type { PresentedModel } from './present.ts'

interface Counted {
  readonly attempts: string
  readonly failures: string
}

/** How attempts with the canary of a model go beside those with the version that is used, as all hosts counted them; null where there is none. */
export async function canaryFigures(db: Knex, model: PresentedModel) {
  const { id, tenant_id: tenantId, active_version: stable, versions = [] } = model
  const found = versions.find(({ state }) => state === 'canary')
  if (!found?.canary) return null
  const read = async (table: string, version: number, beside: object) => {
    const row = await db(table)
      .queryContext({ tenant: tenantId ?? 0 })
      .where({ model_id: id, version, ...beside })
      .first<Counted | undefined>('attempts', 'failures')
    const [attempts, failures] = [Number(row?.attempts ?? 0), Number(row?.failures ?? 0)]
    return { version, attempts, failures, error_rate: attempts === 0 ? null : failures / attempts }
  }
  return {
    since: found.canary.from,
    canary: await read('ai_canary_figures', found.version, {}),
    stable: await read('ai_stable_figures', stable, { canary: found.version }),
  }
}
