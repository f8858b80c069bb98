import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createGuardedFetch } from '#kernel'
import type { StorageVolume } from '../../../core-plugins/storage/contract.ts'
import { CallClock } from '../../../core-plugins/storage/drivers/s3/call-clock.ts'
import { pacedBody } from '../../../core-plugins/storage/drivers/s3/paced-body.ts'
import { S3Client, type S3Limits } from '../../../core-plugins/storage/drivers/s3/s3-client.ts'
import { createS3Volume } from '../../../core-plugins/storage/drivers/s3/s3-volume.ts'
import { startS3Server } from '../../support/s3-server.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'

const location = 'ab/0190-object'
const patient: S3Limits = { retries: 1_000, firstWaitMs: 5, idleMs: 100, wholeMs: 600 }
const contentOf = (bytes: number | string): Readable =>
  Readable.from([typeof bytes === 'string' ? Buffer.from(bytes) : randomBytes(bytes)])

describe('a storage service that accepts and says nothing', () => {
  const stack = new AsyncDisposableStack()
  let proxy: TcpProxy
  let clientSettings: S3Client['settings']
  let open: (limits: S3Limits) => StorageVolume
  before(async () => {
    const server = stack.use(await startS3Server())
    proxy = stack.use(await startTcpProxy({ port: server.port }))
    const egressAllowPrivate = new Set([`localhost:${proxy.port}`])
    const client = stack.use(createGuardedFetch({ egressAllowPrivate, dnsServers: [] }))
    clientSettings = server.settings({ endpoint: `http://localhost:${proxy.port}` })
    open = (limits) => createS3Volume(new S3Client(clientSettings, client, limits))
  })
  after(() => stack.disposeAsync())
  afterEach(() => proxy.heal())

  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      ({ code, details }: { code?: number; details?: { reason?: string } }) => [code, details?.reason],
    )

  it('ends each call as a whole, however many tries are left', async () => {
    const volume = open(patient)
    proxy.swallow()
    const calls = [
      volume.get(location),
      volume.head(location),
      volume.delete(location),
      volume.put(location, contentOf(9)),
    ]
    assert.deepEqual(await Promise.all(calls.map(outcomeOf)), Array(4).fill([5022, 'timeout']))
  })

  it('ends a call that waits behind others for a connection', async () => {
    const volume = open(patient)
    proxy.swallow()
    const calls = Array.from({ length: 40 }, () => outcomeOf(volume.head(location)))
    assert.deepEqual(await Promise.all(calls), Array(40).fill([5022, 'timeout']))
  })

  it('ends the call when its body has left, and when it does not leave', async () => {
    proxy.swallow()
    const limits = { ...patient, retries: 1 }
    assert.deepEqual(await outcomeOf(open(limits).put(location, contentOf(7 * 1_048_576))), [5022, 'timeout'])
    await using deaf = await startDeafServer()
    await using client = createGuardedFetch({ egressAllowPrivate: new Set([deaf.place]), dnsServers: [] })
    const settings = { ...clientSettings, endpoint: new URL(`http://${deaf.place}`) }
    const request = { method: 'PUT', location, body: Buffer.alloc(32 * 1_048_576), expected: [200] } as const
    assert.deepEqual(await outcomeOf(new S3Client(settings, client, limits).send(request)), [5022, 'timeout'])
  })

  it('is not what a body does that moves: the clock stands still', async () => {
    const clock = new CallClock(500, undefined)
    const body = pacedBody(Buffer.alloc(1_048_576), clock) as Readable
    const pieces = body[Symbol.asyncIterator]()
    await pieces.next()
    const begun = performance.now()
    await until(() => performance.now() > begun + 700)
    assert.equal(clock.isOver, false)
    for await (const piece of pieces) assert.ok(piece)
    await until(() => clock.isOver)
  })

  it('serves again as soon as it speaks', async () => {
    const volume = open({ ...patient, wholeMs: 20_000 })
    proxy.swallow()
    const put = volume.put(location, contentOf('hello'))
    proxy.heal()
    await put
    const found = await volume.get(location)
    assert.equal(found && (await text(found.content)), 'hello')
  })
})

/** Accepts connections and reads none of their bytes. */
async function startDeafServer(): Promise<AsyncDisposable & { readonly place: string }> {
  const sockets: Socket[] = []
  const server = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    place: `localhost:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
