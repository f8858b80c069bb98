import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'

describe('what somebody sends byte by byte', () => {
  let host: TestKernel
  before(async () => void (host = await startTestKernel({ plugins: [] })))
  after(() => host[Symbol.asyncDispose]())

  it('gets an answer also where they are no request', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      const answer = await speak(bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      const { code, reason, trace_id } = JSON.parse(body) as Record<string, unknown>
      assert.deepEqual([head.split('\r\n')[0], code, reason], ['HTTP/1.1 400 Bad Request', 4000, 'bad_request'])
      assert.match(head, new RegExp(`x-trace-id: ${String(trace_id)}`, 'i'))
    }
  })

  it('may be a request in the absolute form, as proxies send it', async () => {
    const answer = await speak('GET http://elsewhere/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(answer, /"code":4044/)
  })

  async function speak(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(bytes)
    return text(socket)
  }
})
