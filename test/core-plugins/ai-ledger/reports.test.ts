import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { textOf } from '../../support/attachments.ts'
import { platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import {
  attemptOf,
  holdOf,
  keptFiles,
  recorded,
  sentMessages,
  startLedgerHost,
  sumsOf,
  wishOf,
  type LedgerHost,
} from './world.ts'

const path = '/admin/ai/usage/reports'
const period = () => ({
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date(Date.now() + 60_000).toISOString(),
})

describe('reports of usage', () => {
  let world: LedgerHost
  let owner: Api
  let stranger: Api

  before(async () => {
    world = await startLedgerHost()
    owner = world.host.api.as(tenantToken(41, '*:*'))
    stranger = world.host.api.as(tenantToken(42, '*:*'))
    for (const tenantId of [41, 42]) {
      const hold = await holdOf(world.ledger, wishOf({ spender: { tenantId } }))
      // Somebody pays a quarter less than it costs, and of one call the vendor alone knows what it comes to.
      const costs = { costNano: 1_500_000_000n, listCostNano: 2_000_000_000n, possibleCostNano: 2_200_000_000n }
      hold.end([attemptOf(60, 40, costs)])
    }
    // Nothing is held where there is no quota: what shows that they ended is what they used.
    await until(async () => (await sumsOf(world.db)).rows === 2)
  })
  after(() => world[Symbol.asyncDispose]())

  it('are made by a job, of the tenant’s own calls alone, and are attachments', async () => {
    const id = await ask({ name: 'by model', type: 'cost_by', group_by: ['model'] })
    const lines = (await fileOf(id)).trimEnd().split('\r\n')
    assert.match(lines[0] ?? '', /^model,requests,/)
    assert.deepEqual(lines.slice(1), ['a,1,0,0,60,0,40,0,2.00,1.50'])
    const focus = await fileOf(await ask({ name: 'focus', type: 'cost_by', format: 'focus' }))
    assert.deepEqual(focus.match(/,Tenant \d+,/g), [',Tenant 41,'])
    const foreign = await stranger.get(`${path}/${id}`)
    assert.deepEqual(refusalOf(foreign), { status: 404, code: 4040, reason: 'ai_report_not_found' })
  })

  it('compare the ledger with an invoice, by day and source', async () => {
    const invoice = { provider_id: 'prv_a', amount: '2.50', input_tokens: 65 }
    const id = await ask({ name: 'november', type: 'reconcile', format: 'json', invoice })
    const { rows } = JSON.parse(await fileOf(id)) as {
      rows: readonly {
        day: string
        usage_source: string
        cost: string
        gap: string | null
        input_tokens: number | null
      }[]
    }
    assert.deepEqual(
      rows.map(({ usage_source: source, cost, gap, input_tokens: tokens }) => [source, cost, gap, tokens]),
      [
        ['provider', '2.00', '0.20', 60],
        ['all', '2.00', '0.20', 60],
        ['all', '2.50', null, 65],
        ['all', '0.50', null, 5],
      ],
    )
    const listed = async (query: string) =>
      (dataOf(await owner.get(`${path}?${query}`))['items'] as unknown as { id: string }[]).map((each) => each.id)
    assert.deepEqual(await listed('type=reconcile&format=json'), [id])
    assert.ok(!(await listed('type=cost_by')).includes(id))
    assert.deepEqual(await listed('type=reconcile&format=csv'), [])
  })

  it('are told of by mail, to whom they are for and not without end', async () => {
    const readers = Array.from({ length: 20 }, (_, n) => `reader${String(n)}@example.test`)
    await fileOf(await ask({ name: 'left', type: 'summary', deliver: { email: ['leaver@example.test'] } }))
    assert.equal(sentMessages.length, 0, 'who is no user of the tenant any more is told nothing')
    const ids: string[] = []
    for (let n = 0; n < 4; n++) {
      const id = await ask({ name: `mailed ${String(n)}`, type: 'summary', deliver: { email: readers } })
      await fileOf(id)
      ids.push(id)
    }
    assert.deepEqual(dataOf(await owner.get(`${path}/${ids[0] ?? ''}`))['deliver'], {
      ...{ attachment: true, webhook: null, email: readers },
    })
    const mine = sentMessages.filter(({ tenantId }) => tenantId === 41)
    assert.deepEqual([mine.length, mine[0]?.template, mine[0]?.values], [60, 'ai_report', { report: 'mailed 0' }])
    assert.deepEqual(
      mine
        .slice(0, 20)
        .map(({ to }) => to)
        .toSorted(),
      readers.toSorted(),
    )
    const faultsOf = async (by: Api, deliver: object) => {
      const { body } = await by.post(path, { ...period(), name: 'x', type: 'summary', deliver })
      const errors = (body['errors'] ?? []) as unknown as readonly { field: string; rule: string }[]
      return errors.map(({ field, rule }) => `${field} ${rule}`)
    }
    assert.deepEqual(await faultsOf(owner, { email: ['nobody'] }), ['deliver.email.0 format'])
    // A tenant's go to its own people alone.
    const strangers = { email: ['reader@example.test', 'stranger@example.test'] }
    assert.deepEqual(await faultsOf(owner, strangers), ['deliver.email[1] own_user'])
    assert.deepEqual(await faultsOf(owner.as(platformToken('*:*')), strangers), [])
  })

  it('never show the address of their web hook, and go nowhere within', async () => {
    const webhook = 'https://93.184.216.34/services/secret-path?key=of-the-hook'
    const id = await ask({ name: 'hooked', type: 'summary', deliver: { webhook } })
    const shown = dataOf(await owner.get(`${path}/${id}`))
    assert.deepEqual(shown['deliver'], { attachment: true, webhook: 'https://93.184.216.34/…', email: [] })
    const rows: unknown = await world.db('ai_usage_reports').queryContext({ tenant: 'all' }).where({ id })
    assert.doesNotMatch(JSON.stringify([rows, shown, recorded]), /secret-path|of-the-hook/)
    for (const address of ['http://169.254.169.254/latest', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'nothing']) {
      const wrong = { ...period(), name: 'x', type: 'summary', deliver: { webhook: address } }
      assert.deepEqual(refusalOf(await owner.post(path, wrong)).code, 4229, address)
    }
  })

  it('are refused where they make no sense, and end with their schedule', async () => {
    const wrong = await owner.post(path, { name: 'x', type: 'summary', ...period(), schedule: '0 0 31 2 *' })
    assert.equal(wrong.status, 422)
    assert.equal((await owner.post(path, { name: 'x', type: 'reconcile', ...period() })).status, 422)
    const often = { name: 'x', type: 'summary', ...period(), schedule: '*/5 * * * *' }
    assert.equal((await owner.post(path, often)).status, 422)
    const id = await ask({ name: 'monthly', type: 'summary', schedule: '0 6 1 * *' })
    const schedules = () => world.db('job_schedules').queryContext({ tenant: 'all' }).where({ name: id }).select('name')
    assert.equal(((await schedules()) as readonly unknown[]).length, 1)
    await world.db
      .raw(
        `insert into ai_usage_reports (id, tenant_id, name, status, wish, cron, created_by)
         select id || n, tenant_id, name, 'done', wish, cron, created_by from ai_usage_reports, generate_series(1, 99) n where id = ?`,
        [id],
      )
      .queryContext({ tenant: 'all' })
    const more = { name: 'x', type: 'summary', ...period(), schedule: '0 6 1 * *' }
    assert.deepEqual(refusalOf(await owner.post(path, more)).code, 4229, 'there are a hundred')
    dataOf(await owner.delete(`${path}/${id}`))
    assert.equal(((await schedules()) as readonly unknown[]).length, 0)
    assert.equal((await owner.as(platformToken('*:*')).get(`${path}/${id}`)).status, 404)
  })

  async function ask(body: object): Promise<string> {
    return textOf(dataOf(await owner.post(path, { ...period(), ...body }), 202)['report_id'])
  }

  async function fileOf(id: string): Promise<string> {
    const read = async () => dataOf(await owner.get(`${path}/${id}`))
    await until(async () => textOf((await read())['status']) === 'done', 20_000)
    return keptFiles.get(textOf((await read())['attachment_id']))?.text ?? ''
  }
})
