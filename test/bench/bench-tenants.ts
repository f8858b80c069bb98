import { defineRoute, type Route, type Scope } from '#kernel'
import { collectGarbage } from './collect-garbage.ts'

const body = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } } as const
const keys = ['login_title', 'footer_copyright', 'logo_url']

/** Makes very many tenants with values of their own, and collects what is no longer used, so that memory can be compared. */
export function tenantRoutes({ db }: Scope): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/bench/tenants',
      auth: 'platform',
      summary: 'Makes tenants with configuration',
      schema: { body },
      async handler({ body: { count } }) {
        await makeTenants(db, count)
        return { made: count }
      },
    }),
    defineRoute({
      method: 'post',
      path: '/bench/collect',
      auth: 'platform',
      summary: 'Collects what is no longer used',
      handler() {
        collectGarbage()
        return { collected: true }
      },
    }),
  ]
}

async function makeTenants(db: Scope['db'], count: number): Promise<void> {
  await db.raw(
    `insert into tenants (code, name) select 'many-' || n, 'Tenant ' || n from generate_series(1, ?::int) n`,
    [count],
  )
  const values = db.raw(
    `insert into system_config_values (tenant_id, config_id, value)
     select t.id, c.id, to_json('A line of ' || t.name)::text
       from tenants t, system_configs c
      where t.code like 'many-%' and c.key = any(?)`,
    [keys],
  )
  await values.queryContext({ tenant: 'all' })
}
