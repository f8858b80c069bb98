import assert from 'node:assert/strict'
import { redact } from '../../../../core-plugins/ai/health/logs/redact.ts'
import type { Api } from '../../../support/api.ts'
import { textOf } from '../../../support/attachments.ts'
import { createTenant, createUser, dataOf } from '../../../support/platform.ts'
import { until } from '../../../support/until.ts'
import { healthWorld, itemsOf, type HealthWorld, type Row } from './world.ts'

const logs = '/admin/ai/health/logs'
const question = 'I am mina@example.test, my key is sk-abcdefghijklmnop and I call +49 170 1234567'

describe('what is said to AI models', () => {
  let world: HealthWorld
  let owner: Api
  let key: string
  let tenantId: number
  let model: string

  before(async () => {
    world = await healthWorld()
    const tenant = await createTenant(world.admin, 'said')
    owner = tenant.owner
    tenantId = tenant.id
    key = textOf(dataOf(await owner.post('/admin/ai/api-keys', { name: 'said' }), 201)['key'])
    model = (await world.provide()).name
  })
  after(() => world[Symbol.asyncDispose]())

  const gateway = async (change: object) => dataOf(await world.admin.put('/admin/ai/gateway', change))
  async function say(content: string, more: object = {}): Promise<number> {
    const answer = await fetch(`${world.platform.host.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content }], max_tokens: 50, ...more }),
    })
    await answer.text()
    return answer.status
  }
  async function logged(by: Api, count: number): Promise<readonly Row[]> {
    await until(async () => (await itemsOf(by, logs)).length === count)
    return itemsOf(by, logs)
  }
  const texts = (row: Row | undefined) => JSON.stringify(row?.['payload'])

  it('is kept of tenants that let it be and while the platform keeps it, without what is secret, sealed', async () => {
    assert.equal(await say('first words'), 200)
    await gateway({ logging: { payloads: 'all' } })
    assert.equal(await say('second words'), 200)
    const before = await logged(owner, 2)
    assert.deepEqual(
      before.map(({ payload }) => payload),
      [null, null],
    )
    dataOf(await owner.put('/tenant/configs/groups/tenant_ai', { ai_keep_payloads: true }))
    const known = (await itemsOf(owner, logs)).length
    assert.equal(await say(question), 200)
    assert.equal(await say(question, { stream: true }), 200)
    const rows = (await untilMore(known + 2)).slice(0, 2)
    for (const row of rows) {
      const said = texts(row)
      assert.match(said, /I am \[e-mail\], my key is \[key\] and I call \[number\]/)
      assert.match(said, /"answer":\{"text":"echo: I am \[e-mail\]/)
    }
    const stored: unknown = await world.db()('ai_request_payloads').queryContext({ tenant: 'all' })
    assert.doesNotMatch(JSON.stringify(stored), /e-mail|words|mina/)
    // The platform's administrators read it by a permission of its own.
    const all = await itemsOf(world.admin, `${logs}?tenant_id=${String(tenantId)}`)
    assert.ok(all.some((row) => texts(row).includes('[e-mail]')))
  })

  it('is in the log as soon as its request is, however long it takes to be written', async () => {
    await world.db().raw(`
      create function take_long() returns trigger language plpgsql
        as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger take_long before insert on ai_request_payloads for each row execute function take_long()`)
    const known = (await itemsOf(owner, logs)).length
    assert.equal(await say('slow words'), 200)
    const [row] = await untilMore(known + 1)
    await world.db().raw('drop function take_long cascade')
    assert.match(texts(row), /slow words/)
  })

  it('is kept of requests that failed alone where that was said', async () => {
    await gateway({ logging: { payloads: 'errors', redact: false } })
    const known = (await itemsOf(owner, logs)).length
    assert.equal(await say('nothing to keep'), 200)
    const failing = await world.provide()
    await failing.lane.behave({ trouble: { kind: 'status', status: 500 } })
    assert.equal(await say('something to keep from mina@example.test', { model: failing.name }), 502)
    const [bad, good] = await untilMore(known + 2)
    assert.equal(good?.['payload'], null)
    assert.match(texts(bad), /something to keep from mina@example\.test/)
  })

  it('is not there for who may read the log and not that', async () => {
    const reader = await createUser(owner, 'said', ['tenant_ai_health:logs'])
    const items = await itemsOf(reader, logs)
    assert.ok(items.length > 0 && items.every((item) => !('payload' in item)))
  })

  it('is refused to clients of other vendors where the gateway says so', async () => {
    await gateway({ openai_compat: { enabled: false } })
    assert.equal(await say('hello'), 403)
    await gateway({ openai_compat: { enabled: true } })
    assert.equal(await say('hello'), 200)
  })

  it('loses what looks like a secret or a number of somebody, and keeps the rest', () => {
    const told = {
      'pay 4111 1111 1111 1111 now': 'pay [number] now',
      'Authorization: Bearer abcdefghijklmnop': 'Authorization: Bearer [token]',
      'password=hunter22 and 3.14159 in 2026': 'password=[secret] and 3.14159 in 2026',
      'DE89 3704 0044 0532 0130 00 is mine': '[account] is mine',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- it is': '[private key] it is',
      'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln': '[token]',
    }
    assert.deepEqual(Object.fromEntries(Object.keys(told).map((text) => [text, redact(text)])), told)
  })

  async function untilMore(count: number): Promise<readonly Row[]> {
    await until(async () => (await itemsOf(owner, logs)).length >= count)
    return itemsOf(owner, logs)
  }
})
