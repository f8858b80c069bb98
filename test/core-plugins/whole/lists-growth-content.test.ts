import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { textOf } from '../../support/attachments.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { scannedBy } from './scanned-tables.ts'

const rows = 40_000
const yesterday = new Date(Date.now() - 86_400_000).toISOString()
const chat = '/ai/agent-chat/conversations'
const documents = '/admin/ai/knowledge-bases/{base}/documents'
const plugin = 'acme.grows'

/** Every list of what users and plugins make, with its filters; all files together are counted to the bound of counts. */
const lists: readonly (readonly ['tenant' | 'admin', string])[] = [
  ...[
    '',
    '?sort=size',
    '?sort=filename&page=40',
    '?extension=x8',
    '?type=video',
    '?usage=avatar',
    '?visibility=public',
  ].map((query) => ['tenant', `/attachments${query}`] as const),
  ...[
    '',
    '?extension=none',
    '?type=audio',
    '?min_size=39990',
    '?owner_id=7',
    `?from=${yesterday}`,
    '?status=pending',
  ].map((query) => ['tenant', `/tenant/attachments${query}`] as const),
  ...[
    '?extension=x88',
    '?type=audio',
    '?usage=avatar',
    '?visibility=public',
    '?status=pending',
    '?owner_id=1000088',
  ].map((query) => ['admin', `/admin/attachments${query}`] as const),
  ...['?min_size=39990', '?max_size=50', '?tenant_id=1000007', `?from=${yesterday}`].map(
    (query) => ['admin', `/admin/attachments${query}`] as const,
  ),
  ...['', '?archived=true', '?pinned=true', '?agent_id=none'].map((query) => ['tenant', `${chat}${query}`] as const),
  ['tenant', `${chat}/{conversation}`],
  ['tenant', `${chat}/{conversation}/timeline`],
  ...['', '?kind=goal', '?origin=wish', '?agent_id=none', '?conversation_id=none', '?page=40'].map(
    (query) => ['tenant', `/ai/memories${query}`] as const,
  ),
  ...['', '?status=failed', '?page=40'].map((query) => ['tenant', `${documents}${query}`] as const),
  ...['', '?state=dead', '?type=acme.grows.none', '?tenant_id=1000007'].map(
    (query) => ['admin', `/admin/plugins/${plugin}/events${query}`] as const,
  ),
  ...['', '?outcome=failed', '?tenant_id=1000007', `?from=${yesterday}`].map(
    (query) => ['admin', `/admin/plugins/${plugin}/schedules/nightly/runs${query}`] as const,
  ),
]

const large = [
  ...['attachments', 'ai_conversations', 'ai_messages', 'ai_memories', 'ai_knowledge_documents'],
  ...['plugin_events', 'plugin_schedule_runs'],
]

describe('lists of what users and plugins make', () => {
  let platform: Platform
  let knex: Knex
  let callers: Readonly<Record<'tenant' | 'admin', Api>>
  let ids: Readonly<Record<string, string>>

  before(async () => {
    platform = await startPlatform()
    knex = platform.host.kernel.database.knex
    const { owner, id } = await createTenant(platform.admin, 'large')
    callers = { tenant: owner, admin: platform.admin }
    const source = `{ schedules: { nightly: () => 1 } }`
    const manifest = {
      scope: 'platform',
      capabilities: ['events', 'schedule'],
      reasons: { events: 'Tells others.', schedule: 'Works at night.' },
      events: { publish: ['acme.grows.done'] },
      schedules: [{ id: 'nightly', cron: '0 3 * * *', timezone: 'UTC', handler: 'nightly' }],
    }
    await installAndEnable(platform.admin, await packSmall(plugin, manifest, source))
    await installAndEnable(platform.admin, await packSmall('acme.elsewhere', {}, '{}'))
    const base = dataOf(await owner.post('/admin/ai/knowledge-bases', { name: 'Large' }), 201)
    ids = { base: textOf(base['id']), conversation: 'cnv_many8' }
    await grow(knex, { tenant: id, base: textOf(base['id']) })
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const [caller, path] of lists) {
    it(`${caller} ${path} reads no large table from end to end`, async () => {
      const call = () => callers[caller].get(path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? ''))
      const { scanned, sent } = await scannedBy(call, { knex, url: platform.host.databaseUrl, tables: large })
      assert.deepEqual(scanned, [], sent.join('\n'))
      assert.ok(sent.length > 0)
    })
  }
})

/** A tenant with an eighth of the rows, whose owner made all of its own. */
async function grow(knex: Knex, { tenant, base }: { readonly tenant: number; readonly base: string }): Promise<void> {
  const fill = async (sql: string): Promise<void> => void (await knex.raw(sql).queryContext({ tenant: 'all' }))
  const series = `generate_series(1, ${rows}) as n`
  const spread = `case when n % 8 = 0 then ${tenant} else 1000000 + n % 50 end`
  const user = `case when n % 8 = 0 then (select min(id) from users where tenant_id = ${tenant}) else 1000000 + n % 500 end`
  const at = `now() - n * interval '1 minute'`
  await fill(`insert into attachments (id, tenant_id, owner_id, blob_id, filename, extension, mime_type, size, hash, visibility, usage,
      driver, storage_ref, status, created_at)
    select gen_random_uuid(), ${spread}, ${user}, gen_random_uuid(), 'many' || n, 'x' || n % 500,
      (case when n % 500 = 8 then 'audio' when n % 500 = 16 then 'video' else 'text' end) || '/plain', n, '' || n,
      case when n % 1000 = 8 then 'public' else 'private' end, case when n % 1000 = 8 then 'avatar' else 'general' end,
      'local', 'none', case when n % 1000 = 8 then 'pending' else 'ready' end, ${at} from ${series}`)
  await fill(`insert into ai_conversations (id, tenant_id, user_id, agent_id, title, titled_by, pinned, archived, leaf_id, updated_at)
    select 'cnv_many' || n, ${spread}, ${user}, 'agt_many', 'many', 'user', n % 800 = 0, n % 800 = 8,
      'msg_' || n, ${at}
    from ${series}`)
  await fill(`insert into ai_messages (id, tenant_id, conversation_id, role, content, said, tool_calls)
    select 'msg_' || n, ${spread}, 'cnv_many' || n, 'user', 'many', '[]', '[]' from ${series}`)
  await fill(`insert into ai_memories (id, tenant_id, user_id, kind, text, norm_hash, confidence, origin, source_msgs,
      source_conversations, created_at)
    select 'mem_' || n, ${spread}, ${user}, case when n % 800 = 0 then 'goal' else 'fact' end, 'many ' || n, '' || n, 1,
      case when n % 800 = 0 then 'wish' else 'tool' end, '{}', '{}', ${at} from ${series}`)
  await fill(`insert into ai_knowledge_bases (id, tenant_id, name, description, access_mode, access_roles, access_orgs, access_users, top_k, min_score)
    values ('kb_other', 1000000, 'other', '', 'all', '{}', '{}', '{}', 5, 0)`)
  await fill(`insert into ai_knowledge_documents (id, base_id, tenant_id, title, source, status, created_at)
    select 'doc_many' || n, case when n % 8 = 0 then '${base}' else 'kb_other' end,
      case when n % 8 = 0 then ${tenant} else 1000000 end, 'many', 'text',
      case when n % 800 = 0 then 'failed' else 'ready' end, ${at} from ${series}`)
  const pluginId = `(select id from plugins where name = '${plugin}')`
  const spreadPlugin = `case when n % 8 = 0 then ${pluginId} else (select min(id) from plugins where name <> '${plugin}') end`
  await fill(`insert into plugin_events (plugin_id, tenant_id, type, hop, state, occurred_at)
    select ${spreadPlugin}, 1000000 + n % 50, 'many', 0, case when n % 800 = 0 then 'failed' else 'queued' end, ${at} from ${series}`)
  await fill(`insert into plugin_schedules (plugin_id, schedule, tenant_id, cron, timezone)
    select id, 'nightly', 1000000 + n, '0 3 * * *', 'UTC' from plugins, generate_series(0, 49) as n`)
  await fill(`insert into plugin_schedule_runs (plugin_id, schedule, tenant_id, run_id, attempt, scheduled_at, started_at, finished_at, outcome)
    select ${spreadPlugin}, 'nightly', 1000000 + n % 50, gen_random_uuid(), 1, ${at}, ${at}, ${at},
      case when n % 800 = 0 then 'failed' else 'succeeded' end from ${series}`)
  for (const table of large) await knex.raw('analyze ??', [table])
}
