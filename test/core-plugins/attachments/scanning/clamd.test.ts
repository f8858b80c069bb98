import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'mocha'
import { scanByClamd, ScannerAwayError, type Verdict } from '../../../../core-plugins/attachments/scanning/clamd.ts'
import { startClamd, virus, type Clamd } from '../../../support/clamd.ts'

const stays = new AbortController().signal

describe('a content that clamd looks at', () => {
  let clamd: Clamd
  before(async () => void (clamd = await startClamd()))
  after(() => clamd[Symbol.asyncDispose]())

  async function* inPieces(content: Buffer, bytes = 100_000): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += bytes) yield await Promise.resolve(content.subarray(at, at + bytes))
  }
  const open = async (host: string, port: number) => {
    const socket = connect({ host, port })
    await once(socket, 'connect')
    return socket
  }
  const scan = (content: Buffer, milliseconds = 10_000, port = clamd.port): Promise<Verdict> =>
    scanByClamd(open, { host: '127.0.0.1', port, milliseconds }, inPieces(content), stays)

  it('is clean or infected, as it says of exactly these bytes', async () => {
    const content = Buffer.alloc(1_500_000, 'abc')
    assert.deepEqual(await scan(content), { kind: 'clean' })
    assert.ok(clamd.seen.at(-1)?.equals(content))
    assert.deepEqual(await scan(Buffer.from('')), { kind: 'clean' })
    assert.deepEqual(await scan(Buffer.from(`a ${virus} b`)), { kind: 'infected', signature: 'Test.Virus-1' })
  })

  it('is too large where it says so, also while bytes are on their way', async () => {
    clamd.mood = 'refuses_length'
    assert.deepEqual(await scan(Buffer.alloc(20_000_000)), { kind: 'too_large' })
    clamd.mood = 'honest'
  })

  it('is too large where it says so and hangs up before the rest was sent', async () => {
    await using strict = await startClamd()
    strict.mood = 'hangs_up_on_length'
    async function* content(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(100)
      await strict.hungUp.promise
      yield Buffer.alloc(100)
    }
    const scanner = { host: '127.0.0.1', port: strict.port, milliseconds: 10_000 }
    assert.deepEqual(await scanByClamd(open, scanner, content(), stays), { kind: 'too_large' })
  })

  it('is not taken for clean by one that stalls, breaks off, speaks too early or says something else', async () => {
    for (const mood of ['stalls', 'cuts', 'breaks_its_word', 'speaks_too_early', 'talks_nonsense'] as const) {
      clamd.mood = mood
      await assert.rejects(scan(Buffer.alloc(5_000_000), mood === 'stalls' ? 300 : 10_000), ScannerAwayError, mood)
    }
    clamd.mood = 'honest'
    const gone = await startClamd()
    await gone[Symbol.asyncDispose]()
    await assert.rejects(scan(Buffer.from('x'), 1000, gone.port), ScannerAwayError)
  })
})
