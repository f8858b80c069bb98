import assert from 'node:assert/strict'
import { audit } from '../../../core-plugins/access/contract.ts'
import retention from '../../../core-plugins/retention/index.ts'
import { csvCell } from '../../../core-plugins/access/audit/csv.ts'
import { maskSecrets } from '../../../core-plugins/access/audit/mask-secrets.ts'
import type { Principal } from '#kernel'
import type { Answer, Body } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { dataOf } from '../../support/platform.ts'

/** As the log calls the owner of a tenant. */
async function nameOf({ owner, ownerId }: TestTenant): Promise<string> {
  const { nickname, account } = dataOf(await owner.get(`/tenant/users/${ownerId}`)) as unknown as Record<string, string>
  return (nickname || account) ?? ''
}

const itemsOf = (answer: Answer): readonly Body[] => dataOf(answer)['items'] as unknown as Body[]

describe('the audit log', () => {
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform()
  })
  after(() => platform[Symbol.asyncDispose]())

  it('keeps who did what, for each tenant its own', async () => {
    const acme = await platform.createTenant('acme')
    const other = await platform.createTenant('other')
    const made = await acme.owner.post('/tenant/roles', { code: 'clerk', name: 'Clerk', permissions: [] })
    const log = await acme.owner.get('/tenant/audit-logs')
    const elsewhere = await other.owner.get('/tenant/audit-logs')
    const [line] = log.body['data']?.['items'] as unknown as Body[]
    assert.deepEqual(
      { ...line, id: 0, created_at: '' },
      {
        id: 0,
        actor: { scope: 'tenant', tenant_id: acme.id, user_id: acme.ownerId, name: await nameOf(acme) },
        acting: null,
        action: 'tenant_role.created',
        target: `role:${Number(made.body['data']?.['id'])}`,
        target_name: 'Clerk',
        before: null,
        after: made.body['data'],
        trace_id: made.body['trace_id'],
        created_at: '',
      },
    )
    assert.deepEqual(elsewhere.body['data'], { items: [], next_cursor: null, has_more: false })
  })

  it('masks secrets at any depth', async () => {
    const after = {
      email: 'a@b.test',
      password: 'x',
      deep: [{ api_key: 'k', refresh_token: 't', note: 'n' }],
      token: null,
    }
    const target = 'thing:1'
    await platform.test.kernel.services
      .get(audit)
      .record({ tenantId: 0, actor: null, action: 'thing.made', target, after })
    const log = await platform.admin.get('/admin/audit-logs?target=thing:1')
    const [line] = log.body['data']?.['items'] as unknown as Body[]
    const mask = '********'
    assert.deepEqual(line?.['after'], {
      email: 'a@b.test',
      password: mask,
      deep: [{ api_key: mask, refresh_token: mask, note: 'n' }],
      token: null,
    })
  })

  it('goes back in time page by page', async () => {
    const record = (target: string) =>
      platform.test.kernel.services.get(audit).record({ tenantId: 0, actor: null, action: 'page.turned', target })
    for (const target of ['1', '2', '3']) await record(target)
    const seen: unknown[] = []
    let cursor = ''
    do {
      const page = await platform.admin.get(`/admin/audit-logs?action=page.turned&limit=2${cursor}`)
      const data = page.body['data'] as unknown as { items: Body[]; next_cursor: string | null; has_more: boolean }
      seen.push(data.items.map(({ target }) => target))
      cursor = data.has_more ? `&cursor=${String(data.next_cursor)}` : ''
    } while (cursor !== '')
    assert.deepEqual(seen, [['3', '2'], ['1']])
  })

  it('is searched by the beginning of the action, the actor and the time', async () => {
    const acme = await platform.createTenant('searched')
    const log = platform.test.kernel.services.get(audit)
    const actor: Principal = {
      scope: 'tenant',
      userId: 71,
      tenantId: acme.id,
      sessionId: '',
      roles: [],
      permissions: [],
      actor: { userId: 5, tenantId: 0 },
      can: () => true,
    }
    await log.record({ tenantId: acme.id, actor, action: 'thing.created', target: 'thing:1' })
    await log.record({ tenantId: acme.id, actor: null, action: 'thing.deleted', target: 'thing:1' })
    await log.record({ tenantId: acme.id, actor: null, action: 'thinner.made', target: 'thing:2' })
    const seen = async (query: string): Promise<unknown> =>
      itemsOf(await acme.owner.get(`/tenant/audit-logs?${query}`)).map(({ action }) => action)
    const { database } = platform.test.kernel
    await database
      .knex('access_audit_log')
      .queryContext({ tenant: acme.id })
      .where({ action: 'thing.deleted' })
      .update({ created_at: '2020-02-02T02:02:02Z' })
    assert.deepEqual(await seen('action=thing.'), ['thing.deleted', 'thing.created'])
    assert.deepEqual(await seen('actor_id=71'), ['thing.created'])
    assert.deepEqual(await seen('to=2020-02-03T00:00:00Z'), ['thing.deleted'])
    assert.deepEqual(await seen('from=2020-02-03T00:00:00%2B08:00&action=thin'), ['thinner.made', 'thing.created'])
    const wrong = await acme.owner.get('/tenant/audit-logs?from=yesterday')
    assert.deepEqual([wrong.status, wrong.body['code']], [422, 4221])
    const [line] = itemsOf(await acme.owner.get('/tenant/audit-logs?actor_id=71'))
    assert.deepEqual(line?.['acting'], { scope: 'platform', tenant_id: 0, user_id: 5, name: null })
    assert.deepEqual(await seen('target_prefix=thing:&action=thinner'), ['thinner.made'])
    assert.deepEqual(await seen('target_prefix=nothing:'), [])
    assert.deepEqual(await seen('q=INNER'), ['thinner.made'])
    assert.deepEqual(await seen('q=%25'), [])
    const actions = dataOf(await acme.owner.get('/tenant/audit-logs/actions'))['items'] as unknown as string[]
    assert.deepEqual(
      actions.filter((action) => action.startsWith('thi')),
      ['thing.created', 'thing.deleted', 'thinner.made'],
    )
    const others = dataOf(await platform.admin.get('/admin/audit-logs/actions'))['items'] as unknown as string[]
    assert.ok(!others.includes('thinner.made'))
  })

  it('is downloaded whole as CSV that no spreadsheet takes for formulas', async () => {
    const log = platform.test.kernel.services.get(audit)
    const target = '=HYPERLINK("http://evil.test")'
    for (let at = 0; at < 1_100; at += 1) {
      await log.record({ tenantId: 0, actor: null, action: 'export.tried', target, after: { at } })
    }
    const answer = await platform.admin.get('/admin/audit-logs/export?action=export.')
    const lines = (answer.body as unknown as string).split('\r\n')
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(lines[0], 'id,created_at,actor,acting,action,target,before,after,trace_id')
    assert.equal(lines.length, 1_102)
    assert.match(String(lines[1]), /,export\.tried,"'=HYPERLINK\(""http:\/\/evil\.test""\)",,"{""at"":1099}",$/)
    const cells = ['+1', '-1', '@x', '\t=1', 'a"b', 'plain', '', null, -3].map(csvCell)
    assert.deepEqual(cells, ["'+1", "'-1", "'@x", "'\t=1", '"a""b"', 'plain', '', '', '-3'])
  })

  it('is downloaded by a tenant: its own lines, and by whoever may', async () => {
    const acme = await platform.createTenant('acme-export')
    const log = platform.test.kernel.services.get(audit)
    await log.record({ tenantId: acme.id, actor: null, action: 'export.own', target: 'ours' })
    await log.record({ tenantId: 0, actor: null, action: 'export.own', target: 'the platform’s' })
    const answer = await acme.owner.get('/tenant/audit-logs/export?action=export.own')
    const lines = (answer.body as unknown as string).trim().split('\r\n')
    assert.deepEqual([answer.status, lines.length, lines[1]?.split(',').slice(4, 6)], [200, 2, ['export.own', 'ours']])
    const { api } = await platform.createUser(acme, 'nobody@acme.test', ['tenant_user'])
    const refused = await api.get('/tenant/audit-logs/export')
    assert.deepEqual([refused.status, refused.body['code']], [403, 4031])
  })

  it('gives lines up when their time is over', async () => {
    const { database } = platform.test.kernel
    const old = { tenant_id: 0, action: 'long.ago', target: 'x', created_at: new Date(Date.now() - 181 * 86_400_000) }
    const kept = { ...old, action: 'not.so.long.ago', created_at: new Date(Date.now() - 179 * 86_400_000) }
    await database.knex('access_audit_log').queryContext({ tenant: 'all' }).insert([old, kept])
    const { databaseUrl, namespace } = platform.test
    const plugins = [...identityPlugins, retention]
    const second = await startTestKernel({ plugins, databaseUrl, namespace })
    await second[Symbol.asyncDispose]()
    const left = itemsOf(await platform.admin.get('/admin/audit-logs?target=x')).map(({ action }) => action)
    assert.deepEqual(left, ['not.so.long.ago'])
  })
})

describe('a masked copy', () => {
  const mask = '********'

  it('has no secret at any depth, in lists, in texts that are JSON, beside a name that tells of one', () => {
    const given = {
      list: [{ client_secret: 's' }, 'plain'],
      text: '{"smtp_password":"p","host":"h"}',
      items: [{ key: 'smtp_password', value: 'p' }],
      broken: '{"password":',
      totp: '123456',
    }
    assert.deepEqual(maskSecrets(given), {
      list: [{ client_secret: mask }, 'plain'],
      text: `{"smtp_password":"${mask}","host":"h"}`,
      items: [{ key: 'smtp_password', value: mask }],
      broken: '{"password":',
      totp: mask,
    })
  })

  it('keeps facts about secrets', () => {
    const facts = { password_min_length: 8, token_count: 3, api_key_id: 7, password_changed_at: 'x', has_secret: true }
    assert.deepEqual(maskSecrets(facts), facts)
  })
})
