import assert from 'node:assert/strict'
import { absentRoutes, definePlugin, defineRoute, type StandIn } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { described, probeIdentity, probeRoutes } from '../../support/probe.ts'

const nothing = (): undefined => undefined
const route = defineRoute({ method: 'get', path: '/stand-in', summary: 'Stands in', auth: 'tenant', handler: nothing })
const standIns: Readonly<Record<string, StandIn>> = {
  '/open': { route, params: {} },
  '/secret': { route, params: {}, isSecret: true },
  '/closed': { route, params: {}, isClosed: true },
}

/** Knows of routes that are not there. */
const knower = definePlugin({
  ...described('knower'),
  provides: [absentRoutes],
  setup(scope) {
    scope.provide(absentRoutes, { find: (path) => standIns[path] })
  },
})
const there = ['/open', '/closed'].map((path) =>
  defineRoute({ method: 'post', path, summary: path, auth: 'tenant', handler: nothing }),
)

describe('what answers in the place of a route that is not there', () => {
  let host: TestKernel
  before(async () => (host = await startTestKernel({ plugins: [knower, probeRoutes(...there), probeIdentity] })))
  after(() => host[Symbol.asyncDispose]())

  const ask = async (method: string, path: string, token?: string) => {
    const { status, headers } = await host.request(method, path, token === undefined ? {} : { token })
    return [status, headers['allow']]
  }
  const caller = 'tenant:1:7'

  it('tells strangers of a secret one what is told of any path', async () => {
    assert.deepEqual(await ask('GET', '/secret'), [404, undefined])
    assert.deepEqual(await ask('GET', '/nowhere'), [404, undefined])
    assert.deepEqual(await ask('GET', '/secret', caller), [404, undefined])
  })

  it('tells the methods beside a closed one to those alone whom it admits', async () => {
    assert.deepEqual(await ask('GET', '/closed'), [401, undefined])
    assert.deepEqual(await ask('GET', '/closed', caller), [405, 'OPTIONS, POST'])
    assert.deepEqual(await ask('GET', '/open'), [405, 'OPTIONS, POST'])
  })
})
