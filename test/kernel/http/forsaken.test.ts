import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { defineRoute, type RouteContext } from '#kernel'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeRoutes } from '../../support/probe.ts'
import { until } from '../../support/until.ts'

describe('a request whose caller has hung up', () => {
  let host: TestKernel
  let open = Promise.withResolvers<void>()
  let asked: Pick<RouteContext, 'isForsaken'> | undefined
  let runs = 0
  const route = defineRoute({
    method: 'post',
    path: '/work',
    summary: 'Works',
    auth: 'none',
    // The context itself.
    admit: (state) => void (asked = state as unknown as RouteContext),
    async limit() {
      await open.promise
      return { policy: 'work', requests: 100, seconds: 60, by: 'ip' }
    },
    handler: () => ++runs,
  })
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(route)] })
  })
  after(() => host[Symbol.asyncDispose]())

  it('never comes to its handler when it waited until then', async () => {
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
    await until(() => asked !== undefined)
    assert.equal(asked?.isForsaken, false)
    socket.destroy()
    await until(() => asked?.isForsaken === true)
    open.resolve()
    const { status } = await host.request('POST', '/work')
    assert.deepEqual([status, runs], [200, 1])
    open = Promise.withResolvers()
  })
})
