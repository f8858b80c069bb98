import assert from 'node:assert/strict'
import {
  defineEvent,
  definePlugin,
  defineRoute,
  defineService,
  kernelStarted,
  permissionRegistry,
  pluginDisabled,
  pluginEnabled,
  pluginHost,
  type Plugin,
  type Scope,
} from '#kernel'
import { assertLeavesNothing, startTestKernel } from '../support/kernel.ts'
import { described, probePlugin } from '../support/probe.ts'

interface Greeter {
  readonly greet: (name: string) => string
}
const greeter = defineService<Greeter>('greeter.greeter')
const greeted = defineEvent<{ name: string }>('greeter.greeted')

function greeterPlugin(log: string[]): Plugin {
  return definePlugin({
    ...described('greeter'),
    provides: [greeter],
    setup(scope) {
      log.push('greeter on')
      scope.provide(greeter, { greet: (name) => `Hello, ${name}` })
      scope.defer(() => void log.push('greeter off'))
    },
  })
}

function callerPlugin(log: string[]): Plugin {
  return definePlugin({
    ...described('caller'),
    needs: { greeter },
    setup(scope, { greeter: { greet } }) {
      log.push(`caller on: ${greet('you')}`)
      scope.route(
        defineRoute({ method: 'get', path: '/greet', summary: 'Greets', auth: 'none', handler: () => greet('me') }),
      )
      scope.defer(() => void log.push('caller off'))
    },
  })
}

/** Registers one of everything. */
const everything: Plugin = definePlugin({
  ...described('everything'),
  permissions: [{ resource: 'thing', scope: 'TENANT', actions: { read: 'Read things' } }],
  messages: { 'zh-CN': { thing: '东西' } },
  provides: [greeter],
  setup(scope) {
    scope.route(
      defineRoute({ method: 'get', path: '/things', summary: 'x', permission: 'thing:read', handler: () => 1 }),
    )
    scope.provide(greeter, { greet: () => '' })
    scope.on(pluginEnabled, () => undefined)
    scope.on(greeted, () => undefined, 'every-host')
    scope.every(60_000, () => undefined)
  },
})

describe('a kernel', () => {
  it('enables providers before those that need them, and disables in the reverse order', async () => {
    const log: string[] = []
    {
      await using host = await startTestKernel({ plugins: [callerPlugin(log), greeterPlugin(log)] })
      assert.equal((await host.request('GET', '/greet')).body['data'], 'Hello, me')
      assert.deepEqual(
        host.kernel.manifests.map(({ name }) => name),
        ['greeter', 'caller'],
      )
    }
    assert.deepEqual(log, ['greeter on', 'caller on: Hello, you', 'caller off', 'greeter off'])
  })

  it('is exactly as before when a plugin has come and gone', async () => {
    await using host = await startTestKernel({ plugins: [] })
    await assertLeavesNothing(host.kernel, everything)
    await host.kernel.enable(everything)
    assert.deepEqual(host.kernel.registered(), {
      plugins: ['everything'],
      routes: ['GET /things'],
      services: [
        'greeter.greeter',
        'kernel.api_document',
        'kernel.database_connection',
        'kernel.metrics',
        'kernel.permission_registry',
        'kernel.plugin_host',
        'kernel.text_teller',
      ],
      listeners: { 'greeter.greeted': 1, 'kernel.plugin_enabled': 1 },
      permissions: ['thing:read'],
      timers: 1,
    })
  })

  it('undoes a setup that throws', async () => {
    await using host = await startTestKernel({ plugins: [] })
    const before = host.kernel.registered()
    const log: string[] = []
    const broken = probePlugin('broken', (scope) => {
      scope.defer(() => void log.push('undone'))
      scope.provide(greeter, { greet: () => '' })
      scope.route(defineRoute({ method: 'get', path: '/things', summary: 'x', handler: () => 1 }))
      throw new Error('no luck')
    })
    await assert.rejects(host.kernel.enable(broken), { message: 'no luck' })
    assert.deepEqual([host.kernel.registered(), log], [before, ['undone']])
  })

  it('undoes a setup whose route is taken', async () => {
    const route = () => defineRoute({ method: 'get', path: '/things', summary: 'x', handler: () => 1 })
    await using host = await startTestKernel({ plugins: [probePlugin('first', (scope) => scope.route(route()))] })
    const before = host.kernel.registered()
    const second = probePlugin('second', (scope) => scope.route(route()))
    await assert.rejects(host.kernel.enable(second), {
      message: 'second registers GET /things, which first owns already',
    })
    assert.deepEqual(host.kernel.registered(), before)
  })

  it('opens the routes of a plugin once its setup has ended, and closes them when it is disabled', async () => {
    await using host = await startTestKernel({ plugins: [] })
    let isOpen: boolean | undefined
    const plugin = probePlugin('late', async (scope) => {
      scope.route(defineRoute({ method: 'get', path: '/late', summary: 'x', auth: 'none', handler: () => 1 }))
      isOpen = (await host.request('GET', '/late')).status === 200
    })
    await host.kernel.enable(plugin)
    const during = (await host.request('GET', '/late')).status
    await host.kernel.disable('late')
    assert.deepEqual([isOpen, during, (await host.request('GET', '/late')).body['code']], [false, 200, 4044])
  })

  it('takes what a plugin registers after its setup, as long as it is enabled', async () => {
    const log: string[] = []
    const thing = (name: string) => () => {
      log.push(`${name} on`)
      return { [Symbol.dispose]: () => void log.push(`${name} off`) }
    }
    await using test = await startTestKernel({ plugins: [] })
    const kept: Scope[] = []
    await test.kernel.enable(definePlugin({ ...described('late'), setup: (scope) => void kept.push(scope) }))
    const [scope] = kept
    scope!.register(thing('first'))
    scope!.register(thing('second'))
    await test.kernel.disable('late')
    assert.throws(() => scope!.register(thing('third')))
    assert.deepEqual(log, ['first on', 'second on', 'second off', 'first off'])
  })

  it('refuses to enable a plugin twice, or to disable one that others use', async () => {
    const log: string[] = []
    await using host = await startTestKernel({ plugins: [greeterPlugin(log), callerPlugin(log)] })
    await assert.rejects(host.kernel.enable(greeterPlugin(log)), { message: 'The plugin greeter is enabled already' })
    await assert.rejects(host.kernel.disable('greeter'), {
      message: 'greeter cannot be disabled while these use it: caller',
    })
    await host.kernel.disable('nobody')
  })

  it('does not start without what a plugin needs', async () => {
    await assert.rejects(startTestKernel({ plugins: [callerPlugin([])] }), {
      message: 'No enabled plugin provides the service greeter.greeter',
    })
  })

  it('tells of plugins that come and go, and that it has started', async () => {
    const heard: unknown[] = []
    const listener = probePlugin('listener', (scope) => {
      scope.on(kernelStarted, () => void heard.push('started'))
      scope.on(pluginEnabled, ({ name, version }) => void heard.push(['on', name, version]))
      scope.on(pluginDisabled, ({ name }) => void heard.push(['off', name]))
    })
    await using host = await startTestKernel({ plugins: [listener] })
    await host.kernel.enable(greeterPlugin([]))
    await host.kernel.disable('greeter')
    assert.deepEqual(heard, [['on', 'listener', '1.0.0'], 'started', ['on', 'greeter', '1.0.0'], ['off', 'greeter']])
  })

  it('lets a plugin emit only what is named after it', async () => {
    let failure: unknown
    const plugin = probePlugin('stranger', async (scope) => {
      failure = await scope.emit(greeted, { name: 'x' }).catch((error: unknown) => error)
    })
    await using host = await startTestKernel({ plugins: [plugin] })
    assert.deepEqual(
      [(failure as Error).message, host.kernel.registered().plugins],
      ['stranger may emit only events named stranger.*, not greeter.greeted', ['stranger']],
    )
  })

  it('runs repeated work one after the other, and waits for it when the plugin is disabled', async () => {
    const log: string[] = []
    const busy = Promise.withResolvers<void>()
    const plugin = probePlugin('busy', (scope) => {
      scope.every(1, async () => {
        log.push('begin')
        busy.resolve()
        await new Promise((resolve) => setTimeout(resolve, 30))
        log.push('end')
        throw new Error('is logged')
      })
    })
    await using host = await startTestKernel({ plugins: [plugin] })
    await busy.promise
    await host.kernel.disable('busy')
    assert.deepEqual(log, Array.from({ length: log.length / 2 }, () => ['begin', 'end']).flat())
  })

  it('provides itself to those who manage plugins', async () => {
    let permissions: readonly string[] = []
    const manager = definePlugin({
      ...described('manager'),
      needs: { host: pluginHost, registry: permissionRegistry },
      async setup(_scope, { host, registry }) {
        await host.enable(everything)
        permissions = registry.list().map(({ name }) => name)
      },
    })
    await using host = await startTestKernel({ plugins: [manager] })
    assert.deepEqual([permissions, host.kernel.registered().plugins], [['thing:read'], ['everything', 'manager']])
  })
})
