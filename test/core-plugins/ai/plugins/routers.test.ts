import assert from 'node:assert/strict'
import { textOf } from '../../../support/attachments.ts'
import { dataOf, refusalOf } from '../../../support/platform.ts'
import { installAndEnable, packSmall } from '../../../support/small-plugin.ts'
import { until } from '../../../support/until.ts'
import { addPlain, assign, pluginWorld } from './world.ts'

const nearest = 'acme.ai-nearest'
const bad = 'acme.wrong'
const title = { default: 'Wrong' }

/** Routers that fail in every way, and one that says what it may. */
const badManifest = {
  ...{ capabilities: ['ai:router', 'notify'], reasons: { 'ai:router': 'Tries the platform.', notify: 'Is refused.' } },
  provides: { aiRouters: ['throws', 'stranger', 'endless', 'shy'].map((code) => ({ code, title, handler: code })) },
}
const badSource = `{
  aiRouters: {
    throws: () => { throw new Error('no') },
    stranger: () => ({ order: ['t3'] }),
    endless: () => { for (;;); },
    shy: ({ request, candidates }, ctx) =>
      ({ order: ctx.can('notify') || 'messages' in request || candidates.some((each) => 'provider' in each) ? [] : ['t2'] }),
  },
}`

interface Simulated {
  readonly order: readonly { readonly target: string; readonly probability: number; readonly because: string }[]
}

describe('AI routers of plugins', () => {
  let world: Awaited<ReturnType<typeof pluginWorld>>
  let route: string

  before(async () => {
    world = await pluginWorld(['ai-nearest'])
    const { admin, one } = world
    await addPlain(admin, world.lane('dear'), 'dear', '9')
    await addPlain(admin, world.lane('cheap'), 'cheap', '1')
    await installAndEnable(admin, await packSmall(bad, badManifest, badSource))
    await assign(admin, one, bad)
    const targets = [
      { id: 't1', model: 'dear' },
      { id: 't2', model: 'cheap', tier: 1 },
    ]
    const wish = {
      name: 'both',
      match: { models: ['dear'] },
      strategy: 'priority',
      targets,
      router: { plugin: nearest },
    }
    route = textOf(dataOf(await one.owner.post('/admin/ai/gateway/routes', wish), 201)['id'])
  })
  after(() => world[Symbol.asyncDispose]())

  const chosen = async (stream = false): Promise<string | null> => {
    const answer = await world.chat(world.one.key, { model: 'dear', stream })
    assert.deepEqual([answer.status, answer.text], [200, 'echo: one two three'])
    return answer.headers.get('x-ai-provider')
  }
  const useRouter = async (router: object | null): Promise<void> => {
    dataOf(await world.one.owner.put(`/admin/ai/gateway/routes/${route}`, { router }))
  }

  it('choose the target, whatever the route would, and the other when that one fails', async () => {
    // Where a machine is too busy for its few milliseconds it is not heard: the route's first target answers.
    for (const stream of [false, true]) await until(async () => (await chosen(stream)) === 'cheap')
    const wish = { action: 'simulate', request: { model: 'dear', input_tokens: 9 } }
    await until(async () => {
      const { order } = dataOf(await world.one.owner.post('/admin/ai/gateway/failover', wish)) as unknown as Simulated
      return order[0]?.target === 't2' && order[0].probability === 1 && order[0].because.includes('the router’s choice')
    })
    await world.lane('cheap').behave({ trouble: { kind: 'status', status: 500 } })
    assert.equal(await chosen(), 'dear')
    await world.lane('cheap').behave({})
  })

  it('know of a request and its targets what they need and no more, and have no capability', async () => {
    await useRouter({ plugin: bad, router: 'shy' })
    await until(async () => (await chosen()) === 'cheap')
  })

  it('that fail leave the choice to the route', async () => {
    for (const router of ['throws', 'stranger', 'endless']) {
      await useRouter({ plugin: bad, router })
      assert.equal(await chosen(), 'dear', router)
    }
  })

  it('are for those who have the plugin, and not asked once it is gone', async () => {
    const { one, two, admin } = world
    const wish = { name: 'mine', targets: [{ id: 't1', model: 'dear' }], router: { plugin: nearest } }
    assert.equal(refusalOf(await two.owner.post('/admin/ai/gateway/routes', wish)).code, 4229)
    await useRouter({ plugin: nearest })
    await until(async () => (await chosen()) === 'cheap')
    dataOf(await one.owner.post(`/tenant/plugins/${nearest}/disable`))
    assert.equal(await chosen(), 'dear')
    dataOf(await one.owner.post(`/tenant/plugins/${nearest}/enable`))
    await until(async () => (await chosen()) === 'cheap')
    dataOf(await admin.post(`/admin/plugins/${nearest}/disable`))
    assert.equal(await chosen(), 'dear')
    // What stands in a route stays there, also when something else of it changes.
    dataOf(await one.owner.put(`/admin/ai/gateway/routes/${route}`, { priority: 7 }))
    await useRouter(null)
  })
})
