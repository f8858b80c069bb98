import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRoute, eventStream, type ServerEvent } from '#kernel'
import { listen, type Listening } from '../../../kernel/http/app.ts'
import type { AppParts } from '../../../kernel/http/app-parts.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeRoutes } from '../../support/probe.ts'
import { until } from '../../support/until.ts'
import { wasNotAccepted } from '../../support/was-not-accepted.ts'

class NotAccepted extends Error {}

let running = 0
let finish: () => void = () => undefined
let isAborted = false

async function* ticks(): AsyncGenerator<ServerEvent> {
  for (;;) {
    yield { data: 'tick' }
    await wait(5)
  }
}

const routes = [
  defineRoute({
    method: 'get',
    path: '/slow',
    summary: 'Waits until it is told',
    auth: 'none',
    async handler(ctx) {
      running += 1
      ctx.signal.addEventListener('abort', () => (isAborted = true))
      await new Promise<void>((resolve) => (finish = resolve))
      return 'done'
    },
  }),
  defineRoute({ method: 'get', path: '/quick', summary: 'Answers', auth: 'none', handler: () => 'done' }),
  defineRoute({
    method: 'get',
    path: '/events',
    summary: 'Never ends',
    auth: 'none',
    answers: [{ types: ['text/event-stream'] }],
    handler: () => eventStream(ticks()),
  }),
  defineRoute({
    method: 'get',
    path: '/stuck',
    summary: 'Never sends all',
    auth: 'none',
    answers: [{ types: ['application/octet-stream'] }],
    handler: () => Readable.from(ticksForever(), { objectMode: false }),
  }),
]

async function* ticksForever(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.from('tick')
    await wait(5)
  }
}

describe('a stop', () => {
  let host: TestKernel
  let listening: Listening
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes)] })
  })
  after(() => host[Symbol.asyncDispose]())
  beforeEach(async () => {
    running = 0
    isAborted = false
    listening = await listen(host.kernel as unknown as AppParts, { lingerMs: 50, stopMs: 200, cutMs: 400 })
  })

  const url = (path: string) => listening.url + path
  const isOver = (stopped: PromiseLike<void>) => Promise.race([stopped.then(() => true), wait(20).then(() => false)])

  async function open(): Promise<Socket> {
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }

  it('lets a request in progress end, and accepts no new connection', async () => {
    const answer = fetch(url('/slow'))
    while (running === 0) await wait(1)
    const stopped = listening[Symbol.asyncDispose]()
    assert.equal(await isOver(stopped), false)
    await assert.rejects(fetch(url('/quick'), { headers: { connection: 'close' } }))
    finish()
    const { status, headers } = await answer
    await stopped
    assert.deepEqual([status, headers.get('connection'), isAborted], [200, 'close', false])
  })

  it('answers a request on a connection that was kept alive, and closes it then', async () => {
    const socket = await open()
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const stopped = listening[Symbol.asyncDispose]()
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    const rest = await text(socket)
    await stopped
    assert.match(rest, /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*"data":"done"/i)
  })

  it('answers a request that came while the process had no turn', async () => {
    const socket = await open()
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const stopped = listening[Symbol.asyncDispose]()
    // Each time longer than idle connections are kept for.
    for (let turn = 0; turn < 3; turn += 1) {
      await wait(1)
      const begin = performance.now()
      while (performance.now() - begin < 100);
    }
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    const begin = performance.now()
    while (performance.now() - begin < 100);
    const rest = await text(socket)
    await stopped
    assert.match(rest, /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*"data":"done"/i)
  })

  it('waits for a request that is on its way already, on a connection that is idle', async () => {
    await listening[Symbol.asyncDispose]()
    const patient = { lingerMs: 60_000, stopMs: 60_000, cutMs: 60_000 }
    listening = await listen(host.kernel as unknown as AppParts, patient)
    const socket = await open()
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const stopped = listening[Symbol.asyncDispose]()
    // Long enough for a server that does not wait, which closes it at its next look.
    assert.equal(await isOver(stopped), false)
    assert.equal(await isOver(stopped), false)
    socket.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.match(await text(socket), /"data":"done"/)
    await stopped
  })

  it('cuts no request of callers that never pause', async () => {
    await listening[Symbol.asyncDispose]()
    // A busy machine may take longer than the others are given.
    listening = await listen(host.kernel as unknown as AppParts, { lingerMs: 50, stopMs: 60_000, cutMs: 60_000 })
    let isStopping = false
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const answered = agents.map(() => 0)
    const callers = agents.map(async (own, index) => {
      for (;;) {
        try {
          await ask(own)
          answered[index]! += 1
        } catch (error) {
          // Once it stops, a new connection is refused; a request that was accepted must not fail.
          assert.ok(isStopping && error instanceof NotAccepted, String(error))
          return
        }
      }
    })
    await until(() => answered.every((count) => count > 0))
    isStopping = true
    await listening[Symbol.asyncDispose]()
    await Promise.all(callers)
    for (const own of agents) own.destroy()
  })

  it('ends streams of events in time, as if their source had ended', async () => {
    const answer = await fetch(url('/events'))
    const stopped = listening[Symbol.asyncDispose]()
    assert.match(await answer.text(), /^(data: tick\n\n)+$/)
    await stopped
  })

  it('cuts what does not end at all', async () => {
    const slow = fetch(url('/slow'))
    const stuck = await fetch(url('/stuck'))
    while (running === 0) await wait(1)
    const stopped = listening[Symbol.asyncDispose]()
    await assert.rejects(slow)
    await assert.rejects(stuck.text())
    await stopped
    finish()
    assert.equal(isAborted, true)
  })

  it('closes connections that are idle or were never used', async () => {
    await listening[Symbol.asyncDispose]()
    const patient = { lingerMs: 10, stopMs: 60_000, cutMs: 60_000 }
    listening = await listen(host.kernel as unknown as AppParts, patient)
    const [idle, unused] = [await open(), await open()]
    idle.write('GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const closed = [idle, unused].map((socket) => once(socket.resume(), 'close'))
    await listening[Symbol.asyncDispose]()
    await Promise.all(closed)
  })

  function ask(agent: Agent): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const call = send(url('/quick'), { agent }, (answer) => void text(answer).then(resolve, reject))
    call.on('error', (error) => reject(wasNotAccepted(error, call) ? new NotAccepted() : error))
    call.end()
    return promise
  }
})
