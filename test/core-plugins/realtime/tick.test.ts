import assert from 'node:assert/strict'
import type { Socket } from '#kernel'
import type { Close } from '../../../core-plugins/realtime/connections/close.ts'
import { limits } from '../../../core-plugins/realtime/limits.ts'
import { Realtime } from '../../../core-plugins/realtime/realtime.ts'
import { SocketSession, type SocketHost } from '../../../core-plugins/realtime/sockets/socket-session.ts'

const principal = { tenantId: 1, userId: 1, sessionId: 's', can: () => true }

describe('what is looked after each second', () => {
  it('are clients that say nothing any more: they are asked, and cut off', () => {
    const did: string[] = []
    const socket = {
      bufferedBytes: 0,
      listen: () => undefined,
      ping: () => void did.push('ping'),
      cut: () => void did.push('cut'),
    } as unknown as Socket
    const place = { known: () => undefined, [Symbol.dispose]: () => undefined }
    const host = { limits: { ...limits, authMilliseconds: Infinity } } as unknown as SocketHost
    const opened = Date.now()
    const session = new SocketSession(socket, host, 'user', { ip: '', locale: 'en' }, place)
    const after = (milliseconds: number): readonly string[] => {
      session.tick(opened + milliseconds)
      return did.splice(0)
    }
    const { heartbeatMilliseconds: asked, silentMilliseconds: most } = limits
    assert.deepEqual(
      [after(asked - 1_000), after(asked + 1_000), after(most - 1_000), after(most + 1_000)],
      [[], ['ping'], ['ping'], ['cut']],
    )
  })

  it('are readers who together hold too much: those who are behind most go, until there is room', async () => {
    const log = { head: () => Promise.resolve('1'), mark: () => Promise.resolve() }
    const users = { add: () => undefined, delete: () => undefined, settle: () => undefined }
    const parts = { eventLog: log, users, limits: { ...limits, allBufferedBytes: 1_000 } }
    const realtime = new Realtime(parts as unknown as ConstructorParameters<typeof Realtime>[0])
    const closed: (readonly [number, Close])[] = []
    for (const bufferedBytes of [0, 300, 500, 400, 600]) {
      const close = (why: Close): void => void closed.push([bufferedBytes, why])
      const wire = { bufferedBytes, close, send: () => undefined, drained: () => Promise.resolve() }
      realtime.connect('user', { principal, token: '', ip: '' } as never, wire, undefined)
    }
    await realtime.tick()
    const tooSlow = { code: 4413, reason: 'too_slow' }
    assert.deepEqual(closed, [
      [600, tooSlow],
      [500, tooSlow],
    ])
    assert.equal(realtime.hub.all.size, 3)
  })
})
