import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { join } from 'node:path'
import type { TestPlugin } from '#sandbox'
import { loadPlugin } from '../../marketplace/testing.ts'

const guestbook = join(import.meta.dirname, '../fixtures/plugins/guestbook')

describe("the authors' test harness", () => {
  let plugin: TestPlugin

  before(async () => {
    plugin = await loadPlugin(guestbook, {
      config: { greeting: 'Salut', rates_url: 'http://rates.localhost:8099/latest' },
      http: { 'GET http://rates.localhost:8099/latest': ({ url }) => ({ body: { EUR: 0.9, url } }) },
    })
  })

  after(() => plugin[Symbol.asyncDispose]())

  it('calls routes with tables, each tenant apart', async () => {
    const added = await plugin.request('POST /entries', { body: { author: 'Ann', message: 'Hi' } })
    deepEqual([added.status, added.code], [201, 0])
    const { id } = added.data as { id: number }
    const read = await plugin.request(`GET /entries/${id}`)
    equal((read.data as { author: string }).author, 'Ann')
    const other = { tenant: { id: 2, code: 'other' } }
    const hidden = await plugin.request(`GET /entries/${id}`, {}, other)
    deepEqual([hidden.status, hidden.code, hidden.error?.reason], [404, 4040, 'plugin.acme.guestbook.not_found'])
    deepEqual(plugin.published.at(-1), { type: 'acme.guestbook.entry.added', payload: { id }, tenantId: 1 })
  })

  it('delivers events to listeners', async () => {
    equal((await plugin.deliver('acme.guestbook.entry.added', { id: 1 })).status, 200)
    deepEqual((await plugin.call('countEntries')).data, { counted: 1 })
    equal((await plugin.deliver('acme.other.event', null)).status, 404)
  })

  it('holds callers to the permissions of the manifest', async () => {
    const reader = { user: { id: 5, permissions: ['read'] } }
    equal((await plugin.request('GET /greeting', {}, reader)).status, 200)
    const refused = await plugin.request('POST /entries', { body: {} }, reader)
    deepEqual([refused.status, refused.code], [403, 4031])
    deepEqual((await plugin.request('GET /nothing')).code, 4044)
  })

  it('gives configuration, storage, texts and answers of hosts', async () => {
    deepEqual((await plugin.call('readGreeting')).data, { greeting: 'Salut', tenant: 'test' })
    equal((await plugin.request('PUT /files/a', { body: { text: 'kept' } })).status, 200)
    equal((await plugin.request('GET /files/a')).data, 'kept')
    const rate = await plugin.request('GET /rate')
    deepEqual(rate.data, { rate: { EUR: 0.9, url: 'http://rates.localhost:8099/latest' } })
    equal(plugin.sent.at(-1)?.method, 'GET')
    deepEqual((await plugin.request('GET /hello', {}, { user: null, locale: 'zh-CN' })).data, { hello: '你好' })
  })

  it('fills in the path and passes the headers that production passes', async () => {
    const { data } = await plugin.request('POST /entries', { body: { author: 'Bea', message: 'Hello' } })
    const { id } = data as { id: number }
    const read = await plugin.request('GET /entries/:id', { params: { id: String(id) }, headers: { Cookie: 'a=b' } })
    equal((read.data as { author: string }).author, 'Bea')
  })

  it('tells what a call cost and leads to the lines of its author', async () => {
    const { cost, stack, code, error } = await plugin.call('listEntries', { query: null as never })
    equal(code, 5004)
    equal(error?.message, 'The plugin failed')
    ok(cost.wallMs > 0 && cost.hostCalls === 0)
    match(stack ?? '', /TypeError: .*\n\s+at listEntries \(src\/entries\.ts:11:24\)/)
  })

  it('says of a missing handler what the platform would', async () => {
    const { code, stack } = await plugin.call('nobody')
    deepEqual([code, stack], [5004, 'the plugin has no handler "nobody"'])
  })

  it('refuses a value for a setting that the manifest does not have', async () => {
    await rejects(loadPlugin(guestbook, { config: { colour: 'red' } }), /no configuration item colour/)
  })
})
