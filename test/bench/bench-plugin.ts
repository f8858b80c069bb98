import { applyDataScope, defineRoute, definePlugin, enableTenantRows, TenantModel, type Scope } from '#kernel'
import { access, type Access } from '../../core-plugins/access/contract.ts'
import { sessions } from '../../core-plugins/auth/contract.ts'
import { userDirectory } from '../../core-plugins/users/contract.ts'
import { hostRoutes } from './bench-host.ts'
import { socketRoutes } from './bench-sockets.ts'
import { tenantRoutes } from './bench-tenants.ts'

/** A row of a table as a feature would have: somebody made it, and it belongs to a node of the organisation. */
class BenchRow extends TenantModel {
  static override tableName = 'bench_rows'
  declare id: number
  declare orgId: number
  declare createdBy: number
}

const echo = defineRoute({
  method: 'post',
  path: '/tenant/bench/echo',
  summary: 'Echoes a text without a sandbox',
  auth: 'tenant',
  permission: 'tenant_bench:echo',
  schema: { body: { type: 'object' } },
  handler: ({ body }) => {
    const { text } = body as { text: string }
    return { echoed: text, length: text.length }
  },
})

const who = defineRoute({
  method: 'get',
  path: '/bench/who',
  summary: 'Tells who calls',
  handler: ({ principal }) => ({ user_id: principal.userId, tenant_id: principal.tenantId }),
})

/** Counts rows, all of the tenant or those the caller reaches. */
function countRoute(scope: Scope, access: Access) {
  const permission = 'tenant_bench:count'
  return defineRoute({
    method: 'get',
    path: '/tenant/bench/rows',
    summary: 'Counts rows',
    auth: 'tenant',
    permission,
    schema: { query: { type: 'object', properties: { scoped: { type: 'boolean' } } } as const },
    async handler({ principal, query }) {
      const rows = BenchRow.of(principal.tenantId, scope.db)
      if (!query.scoped) return { count: await rows.resultSize(), nodes: 0 }
      const plan = await access.dataScope(principal, permission)
      const reached = applyDataScope(rows, plan, { org: 'org_id', owner: 'created_by' })
      return { count: await reached.resultSize(), nodes: plan.kind === 'filter' ? plan.orgIds.length : 0 }
    },
  })
}

/** Makes the organisation below a node and rows in it; deletes the rows. */
function rowRoutes({ db }: Scope) {
  const path = '/tenant/bench/rows'
  const shared = { path, auth: 'tenant', permission: 'tenant_bench:make' } as const
  const body = {
    type: 'object',
    required: ['root_id', 'nodes', 'rows'],
    properties: { root_id: { type: 'integer' }, nodes: { type: 'integer' }, rows: { type: 'integer' } },
  } as const
  return [
    defineRoute({
      ...shared,
      method: 'post',
      summary: 'Makes nodes and rows',
      schema: { body },
      async handler({ principal: { tenantId }, body: { root_id: root, nodes, rows } }) {
        await makeTree(db, tenantId, root, nodes)
        await makeRows(db, tenantId, rows)
        return { made: rows }
      },
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      summary: 'Deletes the rows',
      async handler() {
        await db.schema.dropTable('bench_rows')
        return { deleted: true }
      },
    }),
  ]
}

/** Nodes of eight children each, the root among them. */
async function makeTree(db: Scope['db'], tenantId: number, root: number, nodes: number): Promise<void> {
  const insert = db.raw(
    `with recursive tree as (
       select 1 as n, null::int as parent, path, depth from access_orgs where id = :root
       union all
       select child, n, path || (:root + child - 1) || '/', depth + 1
         from tree, generate_series(8 * (n - 1) + 2, least(8 * n + 1, :nodes::int)) as child
     )
     insert into access_orgs (id, tenant_id, parent_id, name, path, depth)
     select :root + n - 1, :tenantId, :root + parent - 1, 'Node ' || n, path, depth from tree where n > 1`,
    { root, nodes, tenantId },
  )
  await insert.queryContext({ tenant: tenantId })
  await db.raw(`select setval(pg_get_serial_sequence('access_orgs', 'id'), ?)`, [root + nodes])
}

/** Rows spread over all nodes of the tenant, made by a thousand users. */
async function makeRows(db: Scope['db'], tenantId: number, rows: number): Promise<void> {
  await db.schema.createTable('bench_rows', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.integer('org_id').notNullable()
    table.integer('created_by').notNullable()
    table.text('title').notNullable()
    table.index(['tenant_id', 'org_id'])
    table.index(['tenant_id', 'created_by'])
  })
  await enableTenantRows(db, 'bench_rows')
  const insert = db.raw(
    `insert into bench_rows (tenant_id, org_id, created_by, title)
     select ?, (array(select id from access_orgs))[1 + n % (select count(*)::int from access_orgs)], 1000 + n % 1000,
            'Row ' || n
       from generate_series(1, ?::int) as n`,
    [tenantId, rows],
  )
  await insert.queryContext({ tenant: tenantId })
  await db.raw('vacuum analyze bench_rows')
}

/** What the benches call: routes whose handlers do next to nothing, and a table to count. */
export const bench = definePlugin({
  name: 'bench',
  version: '1.0.0',
  title: { default: 'Bench' },
  description: { default: 'What the benches call' },
  permissions: [
    {
      resource: 'tenant_bench',
      scope: 'TENANT',
      actions: { echo: 'Echo a text', count: 'Count rows', make: 'Make rows' },
      dataScoped: true,
    },
  ],
  needs: { access, sessions, users: userDirectory },
  setup: (scope, needs) =>
    scope.route(
      echo,
      who,
      countRoute(scope, needs.access),
      ...rowRoutes(scope),
      ...tenantRoutes(scope),
      ...hostRoutes(scope),
      ...socketRoutes({ ...needs, scope }),
    ),
})
