// @both-back-ends
import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { aiKeys, type AiKeys } from '../../../core-plugins/ai-ledger/contract.ts'
import { Peppers } from '../../../core-plugins/ai-ledger/keys/peppers.ts'
import type { Api } from '../../support/api.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { textOf } from '../../support/attachments.ts'
import { until } from '../../support/until.ts'
import { besides, holdOf, recorded, startLedgerHost, wishOf, type LedgerHost } from './world.ts'

const path = '/admin/ai/api-keys'

describe('API keys', () => {
  let first: LedgerHost
  let second: LedgerHost
  let admin: Api
  let owner: Api
  let stranger: Api

  before(async () => {
    first = await startLedgerHost()
    second = await startLedgerHost(besides(first))
    admin = first.host.api.as(platformToken('*:*'))
    owner = first.host.api.as(tenantToken(7, '*:*'))
    stranger = first.host.api.as(tenantToken(8, '*:*'))
  })
  after(async () => {
    await second[Symbol.asyncDispose]()
    await first[Symbol.asyncDispose]()
  })

  const keysOf = ({ host }: LedgerHost): AiKeys => host.kernel.services.get(aiKeys)
  const reasonOf = (key: string, host = first, ip = '127.0.0.1'): Promise<string> =>
    keysOf(host)
      .authenticate(key, ip)
      .then(
        ({ id }) => id,
        ({ reason }: { readonly reason: string }) => reason,
      )
  const make = async (body: object = {}): Promise<{ readonly id: string; readonly key: string }> => {
    const { id, key } = dataOf(await owner.post(path, { name: 'a key', ...body }), 201)
    return { id: textOf(id), key: textOf(key) }
  }

  const listed = async (status: string): Promise<readonly string[]> => {
    const { items } = dataOf(await owner.get(`${path}?status=${status}&page_size=100`))
    return (items as unknown as readonly { id: string }[]).map(({ id }) => id)
  }

  it('are shown once, and open on every host what they were made for', async () => {
    const made = dataOf(
      await owner.post(path, { name: 'app', owner: { user_id: 77 }, scopes: ['chat'], models: ['chat-*'] }),
      201,
    )
    const { id, key, hint } = made
    assert.match(textOf(key), /^sk-aip-[0-9A-Z]{8}-[0-9A-Za-z]{43}-[0-9a-f]{4}$/)
    assert.ok(textOf(key).endsWith(textOf(hint).slice(1)))
    for (const host of [first, second]) {
      const { tenantId, userId, scopes, models } = await keysOf(host).authenticate(textOf(key), '10.0.0.1')
      assert.deepEqual(
        { tenantId, userId, scopes, models },
        { tenantId: 7, userId: 77, scopes: ['chat'], models: ['chat-*'] },
      )
    }
    const read = dataOf(await owner.get(`${path}/${textOf(id)}`))
    assert.equal(read['key'], undefined)
    assert.equal(read['status'], 'active')
    const rows = await first.db('ai_api_key_secrets').queryContext({ tenant: 'all' }).select()
    assert.ok(!JSON.stringify(rows).includes(textOf(key).split('-')[3] ?? ''))
  })

  it('are kept as hashes that nobody makes without their pepper', () => {
    const peppers = new Peppers(first.db, undefined as never)
    const hashes = [1, 2].map((byte) => peppers.hashUnder(createSecretKey(Buffer.alloc(32, byte)), 'a secret'))
    assert.equal(new Set(hashes.map((hash) => hash.toString('hex'))).size, 2)
  })

  it('come with their quotas: no host lets a call in before it knows them', async () => {
    for (const host of [first, second]) {
      // Both have read every quota that there was.
      ;(await holdOf(host.ledger)).end([])
      const { id, key } = await make({ quotas: [{ metric: 'requests', limit: '1' }] })
      await keysOf(host).authenticate(key, '127.0.0.1')
      const spender = { tenantId: 7, keyId: id }
      const hold = await holdOf(host.ledger, wishOf({ spender }))
      const refused = await host.ledger.reserve(wishOf({ spender }))
      assert.ok('refused' in refused, host === first ? 'on the host that made it' : 'on another host')
      hold.end([])
    }
  })

  it('are refused alike whether they are mistyped, unknown or wrong', async () => {
    const { key } = await make()
    const [, , id = '', secret = ''] = key.split('-')
    const last = key.at(-1) === '0' ? '1' : '0'
    const others = [`${key.slice(0, -1)}${last}`, 'sk-aip-x', `sk-aip-${id}-${secret}-`, key.replace(id, '00000000')]
    for (const other of others) assert.equal(await reasonOf(other), 'api_key_invalid')
  })

  it('that are disabled open nothing on any host within a second, and open again when they are enabled', async () => {
    const { id, key } = await make()
    assert.deepEqual([await reasonOf(key), await reasonOf(key, second)], [id, id])
    dataOf(await owner.delete(`${path}/${id}`))
    assert.equal(await reasonOf(key), 'api_key_invalid')
    await until(async () => (await reasonOf(key, second)) === 'api_key_invalid', 3_000)
    assert.equal(dataOf(await owner.get(`${path}/${id}`))['status'], 'disabled')
    dataOf(await owner.put(`${path}/${id}`, { status: 'active' }))
    await until(async () => (await reasonOf(key, second)) === id, 5_000)
  })

  it('rotate: the secret before is good for the grace, and of three the oldest ends', async () => {
    const { id, key } = await make()
    const second_ = dataOf(await owner.post(`${path}/${id}/rotate`, { grace_seconds: 600 }))
    assert.deepEqual([await reasonOf(key), await reasonOf(textOf(second_['key']))], [id, id])
    assert.equal(dataOf(await owner.get(`${path}/${id}`))['status'], 'rotating')
    assert.deepEqual(await listed('rotating'), [id])
    assert.ok(!(await listed('active')).includes(id))
    const third = dataOf(await owner.post(`${path}/${id}/rotate`, { grace_seconds: 600 }))
    assert.deepEqual(
      [await reasonOf(key), await reasonOf(textOf(second_['key'])), await reasonOf(textOf(third['key']))],
      ['api_key_invalid', id, id],
    )
    const leaked = dataOf(await owner.post(`${path}/${id}/rotate`, { revoke_previous: true }))
    assert.deepEqual(
      [await reasonOf(textOf(third['key'])), await reasonOf(textOf(leaked['key']))],
      ['api_key_invalid', id],
    )
  })

  it('are bound to addresses and to time', async () => {
    const { id, key } = await make({ ip_allow: ['10.0.0.0/8', '2001:db8::1'] })
    assert.deepEqual(
      [
        await reasonOf(key, first, '10.1.2.3'),
        await reasonOf(key, first, '2001:db8::1'),
        await reasonOf(key, first, '11.0.0.1'),
      ],
      [id, id, 'api_key_address'],
    )
    await assert.rejects(keysOf(first).authenticate(key, '11.0.0.1'), { code: 4019 })
    const dated = await make({ expires_at: new Date(Date.now() + 400).toISOString() })
    await until(async () => (await reasonOf(dated.key)) === 'api_key_expired', 5_000)
    assert.deepEqual(await listed('expired'), [dated.id])
    assert.ok(!(await listed('active')).includes(dated.id))
    assert.equal((await owner.post(path, { name: 'x', ip_allow: ['10.0.0.0/64'] })).status, 422)
    assert.equal((await owner.post(path, { name: 'x', owner: { user_id: 404 } })).status, 422)
  })

  it('are sorted by the status that they are shown with', async () => {
    const by = first.host.api.as(tenantToken(9, '*:*'))
    const add = async (more: object = {}): Promise<string> =>
      textOf(dataOf(await by.post(path, { name: 'sorted', ...more }), 201)['id'])
    const sorted = async (sort: string): Promise<unknown> =>
      (dataOf(await by.get(`${path}?sort=${sort}`))['items'] as unknown as { status: string }[]).map(
        ({ status }) => status,
      )
    const [rotating, disabled] = [await add(), await add()]
    await add()
    const dated = await add({ expires_at: new Date(Date.now() + 400).toISOString() })
    dataOf(await by.post(`${path}/${rotating}/rotate`, { grace_seconds: 600 }))
    dataOf(await by.delete(`${path}/${disabled}`))
    await until(async () => dataOf(await by.get(`${path}/${dated}`))['status'] === ('expired' as never), 5_000)
    const statuses = ['active', 'disabled', 'expired', 'rotating']
    assert.deepEqual([await sorted('status'), await sorted('-status')], [statuses, statuses.toReversed()])
  })

  it('of a tenant are not there for another, and administrators of the platform reach all', async () => {
    const { id } = await make()
    for (const answer of [
      await stranger.get(`${path}/${id}`),
      await stranger.put(`${path}/${id}`, { name: 'mine' }),
      await stranger.delete(`${path}/${id}`),
      await stranger.post(`${path}/${id}/rotate`, {}),
    ]) {
      assert.deepEqual(refusalOf(answer), { status: 404, code: 4040, reason: 'api_key_not_found' })
    }
    assert.equal(dataOf(await stranger.get(path))['total'], 0 as never)
    assert.equal((await stranger.post(path, { name: 'x', tenant_id: 7 })).status, 422)
    assert.equal(dataOf(await admin.get(`${path}/${id}`))['tenant_id'], 7 as never)
    const changed = await admin.put(`${path}/${id}`, { name: 'new' }, { headers: { 'if-match': '"1"' } })
    assert.equal(dataOf(changed)['name'], 'new')
    assert.equal((await admin.put(`${path}/${id}`, { name: 'newer' }, { headers: { 'if-match': '"1"' } })).status, 412)
  })

  it('are in the log of what was done, without their secrets', async () => {
    const { id, key } = await make()
    const rotated = textOf(dataOf(await owner.post(`${path}/${id}/rotate`, {}))['key'])
    dataOf(await owner.put(`${path}/${id}`, { name: 'another' }))
    dataOf(await owner.delete(`${path}/${id}`))
    const entries = recorded.filter(({ target }) => target === `ai_api_key:${id}`)
    assert.deepEqual(
      entries.map(({ action, tenantId, actor }) => [action, tenantId, actor?.userId]),
      ['created', 'rotated', 'updated', 'disabled'].map((what) => [`ai_api_key.${what}`, 7, 701]),
    )
    for (const text of [key, rotated]) assert.ok(!JSON.stringify(entries).includes(text.split('-')[3] ?? ''))
  })

  it('come with quotas of their own', async () => {
    const quotas = [{ metric: 'cost', limit: '50', window: { kind: 'calendar', unit: 'month' } }]
    const { id } = await make({ quotas })
    const { items } = dataOf(await owner.get(`/admin/ai/quotas?key_id=${id}`)) as unknown as {
      items: readonly { limit: string; window: unknown; scope: { key_id: string } }[]
    }
    assert.deepEqual(
      items.map(({ limit, window, scope }) => [limit, window, scope.key_id]),
      [['50.00', { kind: 'calendar', unit: 'month', tz: 'UTC' }, id]],
    )
  })
})
