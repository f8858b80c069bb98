import type { Knex } from 'knex'
import type { LastError } from '../health-shape.ts'

/** What checks last said of a provider. */
interface LastCheck {
  /** Whether the last one that asked it was good; undefined where none did lately. */
  readonly isOk: boolean | undefined
  readonly lastError: LastError | undefined
}

interface Row {
  readonly provider_id: string
  readonly at: Date
  readonly ok: boolean
  readonly class: string | null
  readonly status: number | null
}

const lately = '15 minutes'
const remembered = '24 hours'

/** What checks last said of these providers. */
export async function readLastChecks(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, LastCheck>> {
  if (ids.length === 0) return new Map()
  const of = (filter: string, since: string) =>
    `select c.* from unnest(?::text[]) as wanted (id) cross join lateral (
       select provider_id, at, ok, class, status from ai_health_checks
        where provider_id = wanted.id and at > now() - interval '${since}' and ${filter} order by at desc, id desc limit 1) c`
  const read = async (filter: string, since: string): Promise<ReadonlyMap<string, Row>> => {
    const query = db.raw<{ rows: Row[] }>(of(filter, since), [[...ids]]).queryContext({ tenant: 'all' })
    return new Map((await query).rows.map((row) => [row.provider_id, row]))
  }
  const [asked, failed] = await Promise.all([read(`kind <> 'passive'`, lately), read('not ok', remembered)])
  return new Map(ids.map((id) => [id, { isOk: asked.get(id)?.ok, lastError: errorOf(failed.get(id)) }]))
}

function errorOf(row: Row | undefined): LastError | undefined {
  return row && { at: row.at.toISOString(), class: row.class ?? '', status: row.status ?? 0 }
}
