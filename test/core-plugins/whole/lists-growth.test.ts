import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Api } from '../../support/api.ts'
import { createTenant, startPlatform, type Platform } from '../../support/platform.ts'
import { scannedBy } from './scanned-tables.ts'

const rows = 40_000
const yesterday = new Date(Date.now() - 86_400_000).toISOString()

/** Every list of things that grow with use, with each of its filters; `:tenant` is the large tenant's owner, `:admin` the platform's. */
const lists: readonly (readonly ['tenant' | 'admin', string])[] = [
  ['tenant', '/tenant/users'],
  ['tenant', '/tenant/users?page=40&page_size=100'],
  ['tenant', '/tenant/users?sort=id'],
  ['tenant', '/tenant/users?phone=%2B491234'],
  ['tenant', '/tenant/users?locale=zh-CN'],
  ['tenant', '/tenant/users?two_factor_enabled=true&status=disabled'],
  ['tenant', `/tenant/users?from=${yesterday}`],
  ['tenant', '/tenant/audit-logs'],
  ['tenant', '/tenant/audit-logs?cursor=500'],
  ['tenant', '/tenant/audit-logs?action=none.such'],
  ['tenant', '/tenant/audit-logs?action=test.done'],
  ['tenant', '/tenant/audit-logs?target=none:1'],
  ['tenant', '/tenant/audit-logs?actor_id=123456'],
  ['tenant', '/tenant/audit-logs?acting_id=123456'],
  ['tenant', '/tenant/audit-logs?trace_id=none'],
  ['tenant', `/tenant/audit-logs?to=${yesterday}`],
  ['tenant', '/notifications'],
  ['tenant', '/notifications?level=error&source=none'],
  ['tenant', `/notifications?q=none&from=${yesterday}`],
  ['tenant', '/notifications?unread=true'],
  ...['', '?state=failed', '?event=config.updated&page=40', '?q=none', `?from=${yesterday}`].map(
    (query) => ['tenant', `/tenant/webhooks/{hook}/deliveries${query}`] as const,
  ),
  ['tenant', '/auth/sessions'],
  ['tenant', `/auth/sessions?ip=192.0.2.1&current=false&device_name=none&from=${yesterday}`],
  ['tenant', '/tenant/users/{owner}/sessions?ip=192.0.2.1'],
  ['tenant', '/tenant/users/invites'],
  ['tenant', '/tenant/users/invites?email=many8%40example.test&status=open'],
  ['tenant', `/tenant/users/invites?invited_by=7&from=${yesterday}`],
  ['tenant', '/tenant/roles/{role}/users'],
  ['tenant', '/tenant/roles/{role}/users?user_id=1000008'],
  ['tenant', '/tenant/roles/{role}/users?q=88'],
  ['tenant', '/tenant/orgs/{org}/members'],
  ['tenant', '/tenant/orgs/{org}/members?is_primary=true&with_children=true'],
  ['tenant', '/tenant/orgs/{org}/members?user_id=1000008&q=8'],
  ['admin', '/admin/audit-logs'],
  ['admin', '/admin/audit-logs?action=none.such'],
  ['admin', '/admin/audit-logs?acting_id=7&trace_id=none'],
  ...[
    '',
    '?kind=backup',
    '?state=failed',
    '?actor=123456',
    '?plugin=many.none',
    `?from=${yesterday}`,
    '?limit=200',
  ].map((query) => ['admin', `/admin/plugins/operations${query}`] as const),
  // All jobs together, and all changes, are counted, to the bound of counts.
  ...[
    ...['?state=dead', '?state=cancelled', '?state=running', '?state=delayed', '?state=waiting'],
    ...[
      '?kind=none',
      '?kind=many7',
      '?tenant_id=1000007',
      '?key=many7',
      '?host=none',
      '?is_cancelled=true',
      `?from=${yesterday}`,
    ],
  ].map((query) => ['admin', `/admin/jobs${query}`] as const),
  ...['?state=rejected', '?tenant_id=1000007', '?group=none', '?requested_by=123456', '?decided_by=123456'].map(
    (query) => ['admin', `/admin/configs/changes${query}`] as const,
  ),
  ...['', '?state=rejected', '?requested_by=7'].map((query) => ['tenant', `/tenant/configs/changes${query}`] as const),
]

describe('lists of what grows', () => {
  let platform: Platform
  let knex: Knex
  let callers: Readonly<Record<'tenant' | 'admin', Api>>
  /** What stands for the ids of the large tenant. */
  let ids: Readonly<Record<string, number | string>>

  before(async () => {
    platform = await startPlatform()
    knex = platform.host.kernel.database.knex
    const { owner, id } = await createTenant(platform.admin, 'large')
    callers = { tenant: owner, admin: platform.admin }
    ids = await grow(knex, id)
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const [caller, path] of lists) {
    it(`${caller} ${path} reads no large table from end to end`, async () => {
      const call = () => callers[caller].get(path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[name])))
      const { scanned, sent } = await scannedBy(call, { knex, url: platform.host.databaseUrl, tables: large })
      assert.deepEqual(scanned, [], sent.join('\n'))
      assert.ok(sent.length > 0)
    })
  }
})

const large = [
  ...['users', 'access_audit_log', 'user_notifications', 'auth_sessions', 'user_invitations'],
  ...['access_user_roles', 'access_user_orgs', 'webhook_deliveries'],
  ...['plugin_operations', 'system_config_change_requests', 'jobs'],
]

/** A tenant with an eighth of the rows: one that had nearly all of them would rightly be read from end to end. */
async function grow(knex: Knex, tenant: number): Promise<Readonly<Record<string, number | string>>> {
  const everybody = { tenant: 'all' }
  const spread = `(case when n % 8 = 0 then ${tenant} else 1000000 + n % 50 end)`
  const fill = async (sql: string): Promise<void> => void (await knex.raw(sql).queryContext(everybody))
  const series = `generate_series(1, ${rows}) as n`
  await fill(`insert into users (tenant_id, account, email, created_at)
    select ${spread}, 'many' || n, 'many' || n || '@example.test', now() - n * interval '1 minute' from ${series}`)
  await fill(`insert into access_audit_log (tenant_id, action, target, actor_id)
    select case when n % 3 = 0 then 0 else ${spread} end, 'test.done', 'test:' || n % 1000, n % 500 from ${series}`)
  await fill(`insert into user_notifications (id, tenant_id, user_id, title, body, level, source, kind, created_at)
    select gen_random_uuid(), ${spread}, n % 500, 'many', '', 'info', 'test', 'test', now() from ${series}`)
  await fill(`insert into user_invitations (tenant_id, code_hash, invited_by, expires_at)
    select ${spread}, 'many' || n, 1, now() + interval '1 day' from ${series}`)
  await fill(`insert into auth_sessions (id, tenant_id, user_id, nonce_hash, version, ip, user_agent, idle_expires_at, expires_at)
    select gen_random_uuid(), ${spread}, n % 5000, '', 1, '', '', now() + interval '1 day', now() + interval '1 day' from ${series}`)
  const insert = async (table: string, row: object): Promise<number> => {
    const [made] = await knex(table).queryContext(everybody).insert(row).returning<{ id: number }[]>('id')
    return made?.id ?? 0
  }
  const role = await insert('access_roles', { tenant_id: tenant, code: 'many', name: 'many' })
  const node = { tenant_id: tenant, name: 'many', path: '/1/', depth: 1, sort: 0 }
  const org = await insert('access_orgs', node)
  await knex('access_orgs')
    .queryContext(everybody)
    .where({ id: org })
    .update({ path: `/${org}/` })
  const other = await insert('access_roles', { tenant_id: tenant, code: 'more', name: 'more' })
  const elsewhere = await insert('access_orgs', { ...node, path: '/none/' })
  await fill(`insert into access_user_roles (tenant_id, user_id, role_id)
    select ${tenant}, 1000000 + n, case when n % 8 = 0 then ${role} else ${other} end from ${series}`)
  await fill(`insert into access_user_orgs (tenant_id, user_id, org_id, is_primary)
    select ${tenant}, 1000000 + n, case when n % 8 = 0 then ${org} else ${elsewhere} end, n % 16 = 0 from ${series}`)
  const hook = randomUUID()
  const elsewhereHook = randomUUID()
  for (const [id, owner] of [
    [hook, tenant],
    [elsewhereHook, 1_000_000],
  ])
    await fill(`insert into webhooks (id, tenant_id, name, url, host, events, filter, state, seen_by)
      values ('${id}', ${owner}, 'many', '', '', '["*"]', '{}', 'active', 1)`)
  await fill(`insert into webhook_deliveries (id, tenant_id, webhook_id, event, occurred_at, data, state, created_at)
    select gen_random_uuid(), case when n % 8 = 0 then ${tenant} else 1000000 end,
      case when n % 8 = 0 then '${hook}' else '${elsewhereHook}' end::uuid,
      case when n % 16 = 0 then 'config.updated' else 'plugin.enabled' end, now(), '{}',
      case when n % 80 = 0 then 'failed' else 'delivered' end, now() - n * interval '1 minute' from ${series}`)
  await fill(`insert into plugin_operations (id, plugin, kind, state, actor, fencing, started_at)
    select gen_random_uuid(), 'many.p' || n % 500, case when n % 2 = 0 then 'enable' else 'disable' end,
      case when n % 100 = 0 then 'failed' else 'succeeded' end, n % 100, n, now() - n * interval '1 minute' from ${series}`)
  await fill(`insert into system_config_change_requests (tenant_id, group_code, before, after, state, requested_by, decided_by)
    select ${spread}, 'group' || n % 50, '{}', jsonb_build_object('footer', repeat('x', 300)), case when n % 100 = 0 then 'rejected' else 'applied' end, n % 500, n % 100
    from ${series}`)
  await fill(`insert into jobs (tenant_id, kind, payload, state, key, is_cancelled, created_at, run_at)
    select 1000000 + n % 50, 'many' || n % 500, '{}',
      case when n % 1000 = 0 then 'dead' when n % 1000 = 1 then 'cancelled' when n % 1000 = 2 then 'held' else 'done' end,
      case when n % 10 = 0 then 'many' || n % 1000 end, n % 1000 = 1, now() - (${rows} - n) * interval '1 minute', now()
    from ${series}`)
  for (const table of large) await knex.raw('analyze ??', [table])
  const { rows: owners } = await knex
    .raw<{ rows: { id: number }[] }>(`select min(id) as id from users where tenant_id = ${tenant}`)
    .queryContext(everybody)
  return { role, org, hook, owner: owners[0]?.id ?? 0 }
}
