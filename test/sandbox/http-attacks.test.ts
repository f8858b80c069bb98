import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createGuardedFetch, type GuardedFetch } from '#kernel'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import { createHttpCapability } from '../../sandbox/broker/http.ts'
import { startFakeDns } from '../support/fake-dns.ts'
import { GuestCalls, grantsOf } from './capabilities-call.ts'
import { endlessAnswers, oddAnswers, type HttpAttack } from './http-attacks.ts'

const timeoutMs = 10_000
const memoryBytes = 200 * 1_048_576

describe('a server that answers guests', () => {
  const stack = new AsyncDisposableStack()
  let client: GuardedFetch
  let port: number
  let answer: (socket: Socket) => void

  before(async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    stack.defer(() => void server.close())
    port = (server.address() as AddressInfo).port
    const egressAllowPrivate = new Set([`hostile.localhost:${port}`])
    client = stack.use(createGuardedFetch({ egressAllowPrivate, dnsServers: [] }))
  })
  after(() => stack.disposeAsync())

  function callsOf(through: GuardedFetch): GuestCalls {
    const grants = grantsOf({
      capabilities: new Set(['http', 'http:any'] as const),
      hosts: [{ host: '*', ports: [80, port] }],
    })
    return new GuestCalls(createHttpCapability({ client: through, grants, limiter: new MemoryRateLimiter() }))
  }

  async function tell({ begins, goesOn }: HttpAttack): Promise<unknown> {
    answer = (socket) => {
      socket.write(begins)
      if (goesOn === undefined) return void socket.end()
      const more = (): void => {
        while (!socket.destroyed && socket.write(goesOn));
      }
      socket.on('drain', more)
      more()
    }
    const url = `http://hostile.localhost:${port}/`
    const told = await callsOf(client).ask('http.fetch', { url, timeoutMs: timeoutMs })
    return typeof told === 'object' ? (told as { status: number }).status : told
  }

  for (const attack of endlessAnswers) {
    it(`is left early when it does not end: ${attack.name}`, async () => {
      const memory = process.memoryUsage.rss()
      const since = performance.now()
      equal(await tell(attack), attack.told)
      ok(performance.now() - since < timeoutMs / 2)
      ok(process.memoryUsage.rss() - memory < memoryBytes)
    })
  }

  it(`is understood or refused: ${oddAnswers.length} ways to answer`, async () => {
    const answers: unknown[] = []
    for (const attack of oddAnswers) answers.push([attack.name, await tell(attack)])
    deepEqual(
      answers,
      oddAnswers.map(({ name, told }) => [name, told]),
    )
  })

  it('does not answer the question after the one it was asked', async () => {
    const response = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    answer = (socket) => void socket.write(response('first') + response('forged'))
    const bodies: unknown[] = []
    for (let count = 0; count < 3; count++) {
      const told = await callsOf(client).ask('http.fetch', { url: `http://hostile.localhost:${port}/` })
      bodies.push((told as { body: unknown }).body)
      await pause(20)
    }
    deepEqual(bodies, ['first', 'first', 'first'])
  })

  it('is known by the address that a name server told, when it tells no other', async () => {
    await using dns = await startFakeDns((_, type) => (type === 'A' ? ['10.0.0.1'] : undefined))
    await using through = createGuardedFetch({ egressAllowPrivate: new Set(), dnsServers: [dns.address] })
    const told = await callsOf(through).ask('http.fetch', { url: 'http://four.example.test/' })
    equal(told, 'forbidden address_forbidden')
  })

  it('does not keep other names from being looked up', async () => {
    const garbage = Buffer.from('ffff00ff00ff', 'hex')
    await using dns = await startFakeDns((name) => (name.startsWith('garbage') ? garbage : ['10.0.0.1']))
    await using through = createGuardedFetch({ egressAllowPrivate: new Set(), dnsServers: [dns.address] })
    const names = ['garbage1', 'garbage2', 'private1', 'garbage3', 'private2']
    const calls = callsOf(through)
    const told = await Promise.all(
      names.map((name) => calls.ask('http.fetch', { url: `http://${name}.example.test/` })),
    )
    deepEqual([told[2], told[4]], ['forbidden address_forbidden', 'forbidden address_forbidden'])
  })
})
