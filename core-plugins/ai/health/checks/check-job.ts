import type { Knex } from 'knex'
import type { JobKind } from '../../../jobs/contract.ts'
import type { Catalogue, CatalogueProvider } from '../../catalogue/types.ts'
import type { ProviderConnection } from '../../connection/provider-connection.ts'
import type { RoutingTable } from '../../routing/routing-table.ts'
import { readFigures } from '../../stats/figure-rows.ts'
import { checkProvider } from './active.ts'
import type { CheckLog } from './check-log.ts'
import { passiveChecks } from './passive.ts'

/** What checks are made with. */
interface CheckParts {
  readonly db: Knex
  readonly connection: ProviderConnection
  readonly table: RoutingTable
  readonly catalogue: () => Catalogue
  readonly log: CheckLog
}

/** The kind of the jobs that check providers. */
export const checkKind = 'ai.check'

/** Minutes back of which hosts may still write what they counted. */
const lateMs = 3 * 60_000
/** Nobody is asked more often. */
const pauseSeconds = 290
/** Asked in one turn at most: of all, of one tenant's, and at once. */
const mostInTurn = 400
const mostOfTenant = 8
const atOnce = 8
/** The next turn begins each minute, and first writes down what requests showed: nobody is asked anything new after so long. */
const turnMs = 40_000

/**
 * Checks providers, one host at a time: by what requests showed of them, and where those showed nothing good for five minutes by asking for
 * their models. No check costs anything.
 */
export function checkJob(parts: CheckParts): JobKind {
  return {
    ...{ kind: checkKind, concurrency: 1, attempts: 1, keepSeconds: 0, keepDeadSeconds: 3_600 },
    async run({ signal, scheduledAt }) {
      // The one after it is due already.
      if (scheduledAt && scheduledAt.getTime() < Date.now() - 60_000) return
      const { db, catalogue, log } = parts
      const until = performance.now() + turnMs
      const from = new Date(Math.floor((Date.now() - lateMs) / 60_000) * 60_000)
      const { errorRate } = catalogue().gateway.breaker
      await log.write(passiveChecks(await readFigures(db, from), catalogue(), errorRate))
      // Whoever takes long holds up those alone who would be asked in its place.
      const due = (await dueProviders(parts)).values()
      const ask = async (): Promise<void> => {
        for (const provider of due) {
          if (signal.aborted || performance.now() >= until) return
          await log.write([await checkProvider(parts, provider, signal)])
        }
      }
      await Promise.all(Array.from({ length: atOnce }, ask))
    },
  }
}

/** Those of which nothing good is known lately, and that were not asked either: one of each tenant, whoever waited longest first, then another. */
async function dueProviders({ db, catalogue }: CheckParts): Promise<readonly CatalogueProvider[]> {
  const providers = catalogue()
    .providers()
    .filter(({ vendor }) => vendor.local === undefined)
  if (providers.length === 0) return []
  const { rows } = await db
    .raw<{ rows: { id: string }[] }>(
      `select id from (
         select wanted.id, asked.at, row_number() over (partition by wanted.tenant_id order by asked.at nulls first, wanted.id) as place
           from unnest(?::text[], ?::int[]) as wanted (id, tenant_id)
           left join lateral (select max(at) as at from ai_health_checks c
                               where c.provider_id = wanted.id and c.kind <> 'passive' and c.at > now() - interval '1 day') as asked on true
          where not exists (select 1 from ai_health_checks c
                             where c.provider_id = wanted.id and c.at > now() - ? * interval '1 second' and (c.kind <> 'passive' or c.ok))
       ) as due where place <= ? order by place, at nulls first, id limit ?`,
      [
        providers.map(({ id }) => id),
        providers.map(({ tenantId }) => tenantId),
        ...[pauseSeconds, mostOfTenant, mostInTurn],
      ],
    )
    .queryContext({ tenant: 'all' })
  const known = new Map(providers.map((provider) => [provider.id, provider]))
  return rows.flatMap(({ id }) => known.get(id) ?? [])
}
