import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { defineRoute, eventStream, raw } from '#kernel'
import { listen, type Listening } from '../../../kernel/http/app.ts'
import type { AppParts } from '../../../kernel/http/app-parts.ts'
import { drainTimes } from '../../../kernel/http/drain.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeRoutes } from '../../support/probe.ts'

const unreadMs = 200
/** More than the buffers of two sockets take. */
const large = 32 * 1024 * 1024

let ended = Promise.withResolvers<void>()

function* endless(): Generator<Buffer> {
  try {
    for (;;) yield Buffer.alloc(64 * 1024)
  } finally {
    ended.resolve()
  }
}

async function* events() {
  try {
    for (;;) yield await Promise.resolve({ data: 'x'.repeat(64 * 1024) })
  } finally {
    ended.resolve()
  }
}

function route(path: string, handler: (ctx: { readonly signal: AbortSignal }) => unknown) {
  return defineRoute({ method: 'get', path, summary: path, auth: 'none', answers: 'any', handler })
}

const routes = [
  route('/stream', () => Readable.from(endless(), { objectMode: false })),
  route('/events', () => eventStream(events())),
  route('/whole', ({ signal }) => {
    signal.addEventListener('abort', () => ended.resolve())
    return raw(Buffer.alloc(large), 'application/octet-stream')
  }),
  route('/late', async () => {
    await wait(unreadMs * 4)
    return 'done'
  }),
]

describe('an answer that its caller does not read', () => {
  let host: TestKernel
  let listening: Listening
  before(async () => {
    host = await startTestKernel({ plugins: [probeRoutes(...routes)] })
    listening = await listen(host.kernel as unknown as AppParts, drainTimes, unreadMs)
  })
  after(async () => {
    await listening[Symbol.asyncDispose]()
    await host[Symbol.asyncDispose]()
  })

  async function ask(path: string, { url } = listening): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  }

  for (const path of ['/whole', '/stream', '/events'])
    it(`is given up: ${path}`, async () => {
      ended = Promise.withResolvers()
      const socket = await ask(path)
      socket.on('error', () => undefined)
      await ended.promise
      socket.destroy()
    })

  it('is waited for as long as a handler takes', async () => {
    const socket = await ask('/late')
    socket.write('GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.equal((await text(socket)).match(/"data":"done"/g)?.length, 2)
  })

  it('goes on while the caller reads, however large it is', async () => {
    // A process that got no time has moved nothing either.
    await using patient = await listen(host.kernel as unknown as AppParts, drainTimes, unreadMs * 50)
    const socket = await ask('/whole', patient)
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      if ((bytes += chunk.length) >= large) socket.destroy()
    })
    await once(socket.resume(), 'close')
    assert.ok(bytes >= large, `${bytes} bytes came`)
  })
})
