import type { Knex } from 'knex'

/** The codes of agents that answer by a model, or are to once their draft is published; of all tenants where none is given. */
export async function agentsNaming(
  tenantId: number | undefined,
  names: readonly string[],
  db: Knex,
): Promise<readonly string[]> {
  const { rows } = await db
    .raw<{ rows: readonly { code: string }[] }>(
      `select distinct a.code from ai_agents a
         left join ai_agent_versions v on v.agent_id = a.id and v.version = a.active_version
        where a.deleted_at is null and a.tenant_id = coalesce(?::int, a.tenant_id)
          and (regexp_replace(a.draft ->> 'model', '@[0-9]+$', '') = any (?::text[])
               or regexp_replace(v.definition ->> 'model', '@[0-9]+$', '') = any (?::text[]))
        order by a.code limit 200`,
      // The types of knex know of no null.
      [tenantId ?? null, [...names], [...names]] as unknown as string[],
    )
    .queryContext({ tenant: tenantId ?? 'all' })
  return rows.map(({ code }) => code)
}
