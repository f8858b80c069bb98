import assert from 'node:assert/strict'
import { definePlugin, defineRoute, defineService, pluginEnabled, type Plugin, type Scope } from '#kernel'
import { startTestKernel } from '../support/kernel.ts'
import { described, probePlugin } from '../support/probe.ts'
import { until } from '../support/until.ts'

interface Sign {
  readonly text: string
}
const sign = defineService<Sign>('shop.sign')

/** A release of one plugin: a route that both have, one of its own, a permission and a service. */
function shop(version: string, own: string, log: string[] = []): Plugin {
  return definePlugin({
    ...described('shop'),
    version,
    permissions: [{ resource: 'shop', scope: 'TENANT', actions: { [own]: 'Do it' } }],
    provides: [sign],
    setup(scope) {
      scope.provide(sign, { text: version })
      scope.on(pluginEnabled, ({ name, version: heard }) => void log.push(`${version} hears ${name} ${heard}`))
      scope.route(
        defineRoute({ method: 'get', path: '/shop', summary: 'x', auth: 'none', handler: () => version }),
        defineRoute({ method: 'get', path: `/shop/${own}`, summary: 'x', permission: `shop:${own}`, handler: () => 1 }),
      )
      scope.defer(() => void log.push(`${version} gone`))
    },
  })
}

describe('a kernel that replaces a plugin', () => {
  it('has all of the new one and nothing of the old', async () => {
    const log: string[] = []
    await using host = await startTestKernel({ plugins: [shop('1.0.0', 'buy', log)] })
    await host.kernel.replace(shop('2.0.0', 'sell', log))
    const { routes, permissions, services, listeners } = host.kernel.registered()
    assert.deepEqual(routes, ['GET /shop', 'GET /shop/sell'])
    assert.deepEqual(permissions, ['shop:sell'])
    assert.deepEqual([services.includes('shop.sign'), listeners], [true, { 'kernel.plugin_enabled': 1 }])
    assert.equal((await host.request('GET', '/shop')).body['data'], '2.0.0')
    assert.equal(host.kernel.services.get(sign).text, '2.0.0')
    assert.deepEqual(log, ['1.0.0 hears shop 1.0.0', '2.0.0 hears shop 2.0.0', '1.0.0 gone'])
    await host.kernel.disable('shop')
    assert.deepEqual(host.kernel.registered().routes, [])
  })

  it('answers every request meanwhile, those in flight from the old one', async () => {
    const hold = Promise.withResolvers<string>()
    const ready = Promise.withResolvers<void>()
    const arrivals: string[] = []
    const busy = (answer: string | Promise<string>) => (scope: Scope) => {
      const handler = () => {
        arrivals.push('in')
        return answer
      }
      scope.route(defineRoute({ method: 'get', path: '/busy', summary: 'x', auth: 'none', handler }))
    }
    await using host = await startTestKernel({ plugins: [probePlugin('busy', busy(hold.promise))] })
    const ask = () => host.request('GET', '/busy')
    const before = ask()
    const replacing = host.kernel.replace(
      probePlugin('busy', async (scope) => {
        busy('new')(scope)
        await ready.promise
      }),
    )
    const during = ask()
    await until(() => arrivals.length === 2)
    ready.resolve()
    await replacing
    assert.equal((await ask()).body['data'], 'new')
    hold.resolve('old')
    const answers = await Promise.all([before, during])
    assert.deepEqual(
      answers.map(({ body }) => body['data'] as unknown),
      ['old', 'old'],
    )
  })

  it('keeps the old one as it is when the setup of the new one throws', async () => {
    const log: string[] = []
    await using host = await startTestKernel({ plugins: [shop('1.0.0', 'buy', log)] })
    const before = host.kernel.registered()
    const broken = { ...shop('2.0.0', 'sell', log), setup: () => Promise.reject(new Error('no luck')) }
    await assert.rejects(host.kernel.replace(broken), { message: 'no luck' })
    assert.deepEqual(host.kernel.registered(), before)
    assert.equal((await host.request('GET', '/shop')).body['data'], '1.0.0')
    assert.deepEqual(log, ['1.0.0 hears shop 1.0.0'])
  })

  it('keeps the old one when a route or a permission of the new one is another’s', async () => {
    const route = defineRoute({ method: 'get', path: '/shop/sell', summary: 'x', auth: 'none', handler: () => 1 })
    const other = probePlugin('other', (scope) => scope.route(route))
    await using host = await startTestKernel({ plugins: [shop('1.0.0', 'buy'), other] })
    const before = host.kernel.registered()
    await assert.rejects(host.kernel.replace(shop('2.0.0', 'sell')), {
      message: 'shop registers GET /shop/sell, which other owns already',
    })
    assert.deepEqual(host.kernel.registered(), before)
    assert.equal(host.kernel.services.get(sign).text, '1.0.0')
    await host.kernel.disable('shop')
    assert.deepEqual(host.kernel.registered().services.includes('shop.sign'), false)
  })

  it('registers in tables of others in the same moment', async () => {
    const table: string[] = []
    const entry = (text: string) =>
      probePlugin('listed', async (scope) => {
        scope.register(() => {
          table.push(text)
          return { [Symbol.dispose]: () => void table.splice(table.indexOf(text), 1) }
        })
        await Promise.resolve()
        assert.deepEqual(table, ['old'])
      })
    await using host = await startTestKernel({ plugins: [entry('old')] })
    await host.kernel.replace(entry('new'))
    assert.deepEqual(table, ['new'])
  })

  it('refuses to replace one that others use, and enables one that is not there', async () => {
    const user = definePlugin({ ...described('user'), needs: { sign }, setup: () => undefined })
    await using host = await startTestKernel({ plugins: [shop('1.0.0', 'buy'), user] })
    await assert.rejects(host.kernel.replace(shop('2.0.0', 'sell')), {
      message: 'shop cannot be disabled while these use it: user',
    })
    await host.kernel.replace(probePlugin('fresh', () => undefined))
    assert.ok(host.kernel.registered().plugins.includes('fresh'))
  })
})
