import assert from 'node:assert/strict'
import { ScopeMismatchError, type LoggedEvent, type Principal } from '#kernel'
import { Connection, type ConnectionParts } from '../../../core-plugins/realtime/connections/connection.ts'
import { Hub } from '../../../core-plugins/realtime/connections/hub.ts'

const principal = { tenantId: 1, userId: 1, sessionId: 's', can: () => true } as unknown as Principal
const caller = { principal, token: '', ip: '' }
const key = 'user:1:*'
const idOf = (n: number): string => `00000000-000${String(n)}-7000-8000-000000000000`
const eventOf = (n: number): LoggedEvent => ({ id: idOf(n), key, payload: { event: 'a.b', ts: '', data: n } })

/** So many connections to a log that holds these events, whose reads end when the test says so. */
function world(count: number) {
  const log: LoggedEvent[] = []
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  let isForbidden = false
  const hub = new Hub()
  const parts: ConnectionParts = {
    log: {
      head: () => Promise.resolve(idOf(0)),
      async readAfter(_keys, id) {
        asked.push(id)
        await gate.promise
        return log.filter((event) => event.id > id)
      },
    },
    admit: () =>
      isForbidden ? Promise.reject(new ScopeMismatchError({ scope: 'tenant' })) : Promise.resolve(principal),
    mayHear: () => true,
    isFarewell: () => false,
    bufferedBytes: 1e6,
    closed: () => undefined,
  }
  const readers = Array.from({ length: count }, () => {
    const got: unknown[] = []
    const reading = Promise.withResolvers<void>()
    const wire = {
      bufferedBytes: 0,
      drained: () => reading.promise,
      close: () => undefined,
      send: (frame: Buffer) => void got.push((JSON.parse(frame.toString()) as { data?: unknown }).data),
    }
    const connection = new Connection('user', caller, wire, parts)
    hub.add(connection)
    const stop = (): void => void (wire.bufferedBytes = 5e5)
    const readOn = (): void => {
      wire.bufferedBytes = 0
      reading.resolve()
    }
    return { connection, got, stop, readOn }
  })
  const opened = Promise.all(readers.map(({ connection }) => connection.open(undefined, () => undefined)))
  const settled = (): Promise<unknown> => Promise.all(readers.map(({ connection }) => connection.recheck()))
  const tell = (n: number, isHeard = true): void => {
    log.push(eventOf(n))
    if (isHeard) hub.heard(eventOf(n))
  }
  const forbid = (): void => void (isForbidden = true)
  return { hub, readers, opened, settled, tell, asked, forbid, open: () => gate.resolve() }
}

describe('the connections of a host that did not hear the log for a while', () => {
  it('all get what was missed, those too that read it after something else happened', async () => {
    const { hub, readers, opened, settled, tell, open } = world(120)
    await opened
    tell(1)
    hub.lost()
    tell(2, false)
    hub.missed()
    tell(3)
    open()
    await settled()
    assert.deepEqual(
      readers.map(({ got }) => got),
      readers.map(() => [1, 2, 3]),
    )
  })

  it('ask for what came after the last word that the host heard, however long they had no event of their own', async () => {
    const { hub, readers, opened, settled, tell, asked, open } = world(1)
    await opened
    hub.reached(idOf(5))
    hub.lost()
    hub.reached(idOf(6))
    hub.missed()
    tell(7)
    open()
    await settled()
    assert.deepEqual([asked, readers[0]?.got], [[idOf(5)], [7]])
  })
})

describe('a client that does not read while it is sent what was missed', () => {
  it('keeps nobody else from catching up, and its host from asking for others again', async () => {
    const { hub, readers, opened, tell, open } = world(60)
    await opened
    const [slow, ...others] = readers
    // Whatever is sent to it stays.
    slow?.stop()
    hub.lost()
    tell(1, false)
    hub.missed()
    open()
    await Promise.all(others.map(({ connection }) => connection.recheck()))
    hub.doubt(() => true)
    await hub.recheckBefore(Date.now())
    assert.deepEqual([slow?.got, others.every(({ got }) => got.length === 1)], [[], true])
  })

  it('gets no more of it when its user may not hear it any more', async () => {
    const { hub, readers, opened, tell, open, forbid } = world(1)
    await opened
    const [slow] = readers
    slow?.stop()
    tell(1, false)
    const resumed = slow?.connection.resume(idOf(0))
    open()
    // Until it waits for its client.
    await new Promise(setImmediate)
    hub.doubt(() => true)
    forbid()
    slow?.readOn()
    await resumed
    assert.deepEqual([slow?.got, slow?.connection.isClosed], [[], true])
  })
})

describe('the place in the log that everything has come up to', () => {
  it('is that of the host, and of nobody who still waits for something', async () => {
    const { hub, readers, opened, settled, tell, open } = world(2)
    const [one, two] = readers.map(({ connection }) => connection) as [Connection, Connection]
    assert.equal(hub.reachedBy(one), null)
    await opened
    assert.equal(hub.reachedBy(one), idOf(0))
    tell(1)
    hub.reached(idOf(2))
    const replayed = two.resume(idOf(0))
    assert.deepEqual([hub.reachedBy(one), hub.reachedBy(two)], [idOf(2), null])
    open()
    await replayed
    await settled()
    assert.equal(hub.reachedBy(two), idOf(2))
    one.leave()
    assert.equal(hub.reachedBy(one), null)
  })
})
