import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { CallTimeouts, ProviderCallError, ProviderExchange } from '../../../core-plugins/ai/connection/call.ts'
import { ProviderConnection } from '../../../core-plugins/ai/connection/provider-connection.ts'
import { openAnswer } from '../../../core-plugins/ai/connection/open-answer.ts'
import { readWhole } from '../../../core-plugins/ai/connection/read-whole.ts'
import { until } from '../../support/until.ts'

const patient: CallTimeouts = { connectMs: 10_000, firstTokenMs: 20_000, idleMs: 20_000, totalMs: 30_000 }

/** What a call told, in order. */
interface Told {
  readonly exchange: ProviderExchange
  readonly heard: string[]
  readonly error: () => ProviderCallError | undefined
  readonly over: Promise<void>
}

describe('the connection to AI providers', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let server: Server
  let silent: Server
  let connection: ProviderConnection
  let base: string
  const gone: IncomingMessage[] = []

  before(async () => {
    server = createServer((request, response) => {
      response.on('close', () => void (response.writableFinished || gone.push(request)))
      answer(request, response)
    })
    silent = createTcpServer(() => undefined)
    for (const one of [server, silent]) await once(one.listen(0, '127.0.0.1'), 'listening')
    const hosts = [server, silent].map((one) => `vendor.localhost:${portOf(one)}`)
    connection = new ProviderConnection({ egressAllowPrivate: new Set(hosts), dnsServers: [] })
    base = `http://${hosts[0]}`
  })
  after(async () => {
    await connection[Symbol.asyncDispose]()
    for (const one of [server, silent]) one.close()
  })
  beforeEach(() => gone.splice(0))

  function portOf(one: Server): number {
    return (one.address() as AddressInfo).port
  }

  function call(
    url: string,
    timeouts: Partial<CallTimeouts> = {},
    onPiece?: (exchange: ProviderExchange) => void,
  ): Told {
    const heard: string[] = []
    let failed: ProviderCallError | undefined
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const exchange = connection.open(
      { url: new URL(url), method: 'POST', headers: {}, body: '{}', timeouts: { ...patient, ...timeouts } },
      {
        head: (status) => void heard.push(`head ${status}`),
        piece(bytes) {
          heard.push(bytes.toString())
          onPiece?.(exchange)
        },
        end() {
          heard.push('end')
          resolve()
        },
        fail(error) {
          failed = error
          heard.push(`fail ${error.kind}${error.phase ? ` ${error.phase}` : ''}`)
          resolve()
        },
      },
    )
    return { exchange, heard, over, error: () => failed }
  }

  it('tells the head, every piece as it comes, and the end', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('one')
      setTimeout(() => response.end('two'), 30)
    }
    const { heard, over } = call(`${base}/v1/chat`)
    assert.deepEqual(heard, [])
    await over
    assert.deepEqual(heard, ['head 200', 'one', 'two', 'end'])
  })

  it('ends a call whose connection does not stand in time, and one whose head never comes', async () => {
    const tls = call(`https://vendor.localhost:${portOf(silent)}/`, { connectMs: 200 })
    answer = () => undefined
    const mute = call(`${base}/`, { firstTokenMs: 200 })
    await Promise.all([tls.over, mute.over])
    assert.deepEqual([tls.heard, mute.heard], [['fail timeout connect'], ['fail timeout first_token']])
    await until(() => gone.length === 1)
  })

  it('ends one that says something and no token, one that stalls after it, and one that never ends', async () => {
    answer = (request, response) => {
      response.writeHead(200).write('.')
      if (request.url !== '/drips') return
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    }
    const noToken = call(`${base}/`, { firstTokenMs: 1_000 })
    const stalls = call(`${base}/`, { idleMs: 200 }, (exchange) => exchange.began())
    const drips = call(`${base}/drips`, { idleMs: 5_000, totalMs: 400 }, (exchange) => exchange.began())
    await Promise.all([noToken.over, stalls.over, drips.over])
    assert.deepEqual(noToken.heard, ['head 200', '.', 'fail timeout first_token'])
    assert.deepEqual(stalls.heard, ['head 200', '.', 'fail timeout idle'])
    assert.equal(drips.heard.at(-1), 'fail timeout total')
    await until(() => gone.length === 3)
  })

  it('counts no silence while its reader pauses', async () => {
    answer = (_request, response) => {
      response.writeHead(200).write('one')
      setTimeout(() => response.end('two'), 20)
    }
    let isFirst = true
    const { heard, over } = call(`${base}/`, { idleMs: 300 }, (exchange) => {
      if (!isFirst) return
      isFirst = false
      exchange.began()
      exchange.pause()
      setTimeout(() => exchange.resume(), 700)
    })
    await over
    assert.deepEqual(heard, ['head 200', 'one', 'two', 'end'])
  })

  it('lets the provider see at once that nobody waits, and says nothing more', async () => {
    answer = (_request, response) => void response.writeHead(200).write('one')
    const calls = Array.from({ length: 20 }, () => call(`${base}/`))
    await until(() => calls.every(({ heard }) => heard.includes('one')))
    const before = performance.now()
    for (const { exchange } of calls) exchange.abort()
    await until(() => gone.length === 20)
    assert.ok(performance.now() - before < 5_000)
    assert.deepEqual(new Set(calls.map(({ heard }) => heard.join())), new Set(['head 200,one']))
    const early = call(`${base}/`)
    early.exchange.abort()
    const later = await readWhole(connection, wish(`${base}/answered`), { maxBytes: 100 }).catch(String)
    assert.deepEqual([early.heard, typeof later], [[], 'string'])
  })

  it('tells what was never sent from what broke on the way', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setImmediate(() => response.destroy())
    }
    const cut = call(`${base}/`)
    const forbidden = call('http://10.0.0.1/')
    const metadata = call('http://169.254.169.254/')
    const odd = call('ftp://vendor.localhost/')
    await Promise.all([cut.over, forbidden.over, metadata.over, odd.over])
    assert.deepEqual(cut.heard, ['head 200', 'half', 'fail broken'])
    for (const { heard } of [forbidden, metadata, odd]) assert.deepEqual(heard, ['fail unsent'])
  })

  it('follows no redirect, and takes no answer that is encoded', async () => {
    answer = (request, response) => {
      if (request.url === '/zip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'))
      else response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    }
    const [moved, zipped] = [call(`${base}/`), call(`${base}/zip`)]
    await Promise.all([moved.over, zipped.over])
    assert.deepEqual([moved.heard, zipped.heard], [['head 302', 'end'], ['fail invalid']])
  })

  it('reads an answer as a whole, of a size that is allowed', async () => {
    answer = (request, response) => void response.writeHead(201).end('x'.repeat(request.url === '/large' ? 200 : 50))
    const { status, body } = await readWhole(connection, wish(`${base}/`), { maxBytes: 100 })
    assert.deepEqual([status, body.length], [201, 50])
    await assert.rejects(readWhole(connection, wish(`${base}/large`), { maxBytes: 100 }), { kind: 'invalid' })
    const signal = AbortSignal.abort(new Error('nobody'))
    await assert.rejects(readWhole(connection, wish(`${base}/`), { maxBytes: 100, signal }), { message: 'nobody' })
  })

  it('hands an answer over as a stream, which stops the provider when it is let go', async () => {
    answer = (request, response) => {
      response.writeHead(200).write('x'.repeat(1_000))
      if (request.url === '/whole') response.end('end')
    }
    const never = new AbortController().signal
    const whole = await openAnswer(connection, wish(`${base}/whole`), never)
    assert.deepEqual([whole.status, (await whole.body.toArray()).join('').length], [200, 1_003])
    const left = await openAnswer(connection, wish(`${base}/`), never)
    left.body.destroy()
    const hungUp = new AbortController()
    const given = await openAnswer(connection, wish(`${base}/`), hungUp.signal)
    hungUp.abort(new Error('gone'))
    await assert.rejects(given.body.toArray(), { message: 'gone' })
    const stalls = await openAnswer(connection, { ...wish(`${base}/`), timeouts: { ...patient, idleMs: 200 } }, never)
    stalls.began()
    await assert.rejects(stalls.body.toArray(), { kind: 'timeout', phase: 'idle' })
    await until(() => gone.length === 3)
  })

  function wish(url: string) {
    return {
      url: new URL(url),
      method: 'GET',
      headers: {},
      body: undefined,
      timeouts: { ...patient, totalMs: 2_000 },
    } as const
  }
})
