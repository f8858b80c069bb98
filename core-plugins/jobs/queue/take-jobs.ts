import type { Knex } from 'knex'
import { everybody } from './everybody.ts'

/** How long a host that died keeps its jobs from others. */
export const leaseMs = 15_000

/** A job that this host has for the time of its lease. */
export interface TakenJob {
  readonly id: string
  readonly fence: number
  readonly kind: string
  readonly tenantId: number
  readonly key: string | null
  readonly group: string | null
  readonly payload: unknown
  readonly attempt: number
  readonly scheduledAt: Date | null
  readonly createdAt: Date
}

/** A kind of which this host runs some more: of tenants behind `after` first. */
export interface WantedKind {
  readonly kind: string
  readonly room: number
  readonly after: number
  /** How many more a tenant may have of it; those who run none have the room of `other`. */
  readonly tenants: Readonly<Record<string, number>>
  readonly other: number
  /** Of the groups of its jobs those of which this host runs some more, and how many; undefined: of all. */
  readonly groups?: Readonly<Record<string, number>>
}

/** What a host has room for. */
export interface Wanted {
  readonly hostId: string
  readonly most: number
  readonly kinds: readonly WantedKind[]
  /** The same over all kinds. */
  readonly tenants: Readonly<Record<string, number>>
  readonly other: number
}

/**
 * Takes jobs, one of each tenant before a second of any. Steps from tenant to tenant through the index and looks at no more of each
 * than there is room for, so that ten thousand of one cost as much as ten.
 */
export async function takeJobs(
  db: Knex,
  { hostId, most, kinds, tenants, other }: Wanted,
): Promise<readonly TakenJob[]> {
  const lanes = kinds.flatMap((kind) => [
    { ...kind, upto: 2_147_483_647, part: 0 },
    ...(kind.after < 0 ? [] : [{ ...kind, after: -1, upto: kind.after, part: 1 }]),
  ])
  // Tenants without room are stepped over.
  const steps = most + Object.values(tenants).filter((room) => room <= 0).length
  const { rows } = await db
    .raw<{ rows: readonly TakenRow[] }>(kinds.some(({ groups }) => groups) ? ofGroups : ofAll, {
      ...{ hostId, most, steps, other, leaseMs },
      lanes: JSON.stringify(lanes),
      tenants: JSON.stringify(tenants),
    })
    .queryContext(everybody)
  return rows.map(({ tenant_id, group_name: group, attempts: attempt, scheduled_at, created_at, ...job }) => ({
    ...job,
    ...{ tenantId: tenant_id, group, attempt, scheduledAt: scheduled_at, createdAt: created_at },
  }))
}

interface TakenRow extends Pick<TakenJob, 'id' | 'fence' | 'kind' | 'key' | 'payload'> {
  readonly tenant_id: number
  readonly group_name: string | null
  readonly attempts: number
  readonly scheduled_at: Date | null
  readonly created_at: Date
}

/** Jobs of groups that this host leaves to others are stepped over one by one: there should not be thousands. */
const inGroups = (lane: string): string =>
  `and (${lane}.groups is null or group_name is null or jsonb_exists(${lane}.groups, group_name))`

const nextTenant = (lane: string, filter: (lane: string) => string): string => `
  cross join lateral (select tenant_id from jobs
    where state = 'waiting' and kind = ${lane}.kind and tenant_id > ${lane}.after and tenant_id <= ${lane}.upto ${filter(lane)}
    order by tenant_id limit 1) found`

/** At most as many of a group as there is room for; a sort that others need not pay for. */
const grouped = `
  ), numbered as (
    select *, row_number() over (partition by kind, group_name order by turn, part, tenant_id) as number_of_group
      from turns where turn <= room_of_tenant
  ), roomy_turns as (
    select * from numbered
     where groups is null or group_name is null or number_of_group <= cast(groups ->> group_name as int)`

const statementOf = (filter: (lane: string) => string, limits: string, candidates: string): string => `
  with recursive wanted as (
    select * from jsonb_to_recordset(cast(:lanes as jsonb))
        as w(kind text, room int, after int, upto int, part int, tenants jsonb, other int, groups jsonb)
  ), lanes as (
    select w.kind, w.room, w.upto, w.part, w.tenants, w.other, w.groups, found.tenant_id as after, 1 as step
      from wanted w ${nextTenant('w', filter)}
    union all
    select l.kind, l.room, l.upto, l.part, l.tenants, l.other, l.groups, found.tenant_id, l.step + 1
      from lanes l ${nextTenant('l', filter)} where l.step < :steps
  ), roomy as (
    select kind, room, part, groups, after as tenant_id,
           coalesce(cast(tenants ->> cast(after as text) as int), other) as room_of_kind,
           coalesce(cast(cast(:tenants as jsonb) ->> cast(after as text) as int), cast(:other as int)) as room_of_tenant,
           ceil(least(room, :most) / cast(count(*) over (partition by kind) as float)) as turns
      from lanes
  ), seen as (
    select r.*, j.id, j.priority, j.position, j.group_name from roomy r cross join lateral (
      select id, priority, position, group_name from jobs
       where state = 'waiting' and kind = r.kind and tenant_id = r.tenant_id ${filter('r')}
       order by priority desc, position limit greatest(0, least(r.room_of_kind, r.room_of_tenant, r.turns))
         for update skip locked) j
  ), turns as (
    select *, row_number() over (partition by tenant_id order by priority desc, position) as turn from seen${limits}
  ), fitting as (
    select *, row_number() over (partition by kind order by turn, part, tenant_id) as number_of_kind
      from ${candidates} where turn <= room_of_tenant
  ), picked as (
    select id from fitting where number_of_kind <= room order by turn, part, tenant_id limit :most
  )
  update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1, host = :hostId, dedupe = null, error = null,
         started_at = now(), leased_until = now() + :leaseMs * interval '1 millisecond', percent = null, progress = null
    from picked where jobs.id = picked.id
  returning jobs.id, jobs.fence, jobs.kind, jobs.tenant_id, jobs.key, jobs.group_name, jobs.payload, jobs.attempts,
            jobs.scheduled_at, jobs.created_at`

const ofAll = statementOf(() => '', '', 'turns')
const ofGroups = statementOf(inGroups, grouped, 'roomy_turns')
