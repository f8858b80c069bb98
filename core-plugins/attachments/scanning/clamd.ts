import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { GuardedConnect } from '#kernel'

/** What a scanner says of a content. */
export type Verdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'infected'; readonly signature: string }
  | { readonly kind: 'too_large' }

/** There is no word of a scanner that can be relied on. */
export class ScannerAwayError extends Error {}

/** Where a scanner is, and how long it may take from the first byte to its word. */
interface Scanner {
  readonly host: string
  readonly port: number
  readonly milliseconds: number
}

const mostSaid = 4096
/** clamd takes no longer chunks than its limit of a stream, 25 MB at least. */
const chunkBytes = 256 * 1024

/**
 * Has clamd look at a content by INSTREAM: chunks behind their length as four bytes, the last one empty, then one line that ends in NUL.
 * Throws ScannerAwayError where it is not reached, takes too long, breaks off, or says what is no verdict; and what the content throws.
 * Source: clamd(8), of ClamAV 1.0.
 */
export async function scanByClamd(
  connect: GuardedConnect,
  { host, port, milliseconds }: Scanner,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<Verdict> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  const socket = await connect(host, port, milliseconds).catch((cause: unknown) => {
    throw new ScannerAwayError('it is not reached', { cause })
  })
  const stop = (): void => void socket.destroy(new ScannerAwayError('it took too long'))
  deadline.addEventListener('abort', stop, { once: true })
  if (deadline.aborted) stop()
  try {
    return await converse(socket, content)
  } finally {
    deadline.removeEventListener('abort', stop)
    socket.destroy()
  }
}

async function converse(socket: Socket, content: AsyncIterable<Buffer>): Promise<Verdict> {
  const said = readLine(socket)
  // It may speak before it was asked, and nobody waits for it yet.
  said.catch(() => undefined)
  const isWhole = await Promise.race([send(socket, content).then(() => true), said.then(() => false)])
  const line = await said
  const found = /^stream: ([\x20-\x7e]{1,200}) FOUND$/.exec(line)?.[1]
  if (found !== undefined) return { kind: 'infected', signature: found }
  if (/size limit exceeded/i.test(line)) return { kind: 'too_large' }
  if (line === 'stream: OK' && isWhole) return { kind: 'clean' }
  throw new ScannerAwayError(`it says ${JSON.stringify(line.slice(0, 200))}`)
}

async function send(socket: Socket, content: AsyncIterable<Buffer>): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'))
  for await (const bytes of content) {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      await write(socket, Buffer.concat([lengthOf(chunk.length), chunk]))
    }
  }
  await write(socket, lengthOf(0))
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  // What it said before it hung up is read first, for which a whole turn of the loop is wanted: a write to one that is gone loses it.
  await turn()
  await turn()
  if (socket.destroyed) throw new ScannerAwayError('it broke off')
  if (socket.write(bytes)) return
  const over = new AbortController()
  try {
    await Promise.race([
      once(socket, 'drain', { signal: over.signal }),
      once(socket, 'close', { signal: over.signal }).then(() => {
        throw new ScannerAwayError('it broke off')
      }),
    ])
  } finally {
    over.abort()
  }
}

function lengthOf(bytes: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes)
  return head
}

/** Its one line; what it says behind its end is not listened to. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString('latin1')
      const end = said.indexOf('\0')
      if (end !== -1) resolve(said.slice(0, end).trim())
      else if (said.length > mostSaid) socket.destroy(new ScannerAwayError('it says too much'))
    })
    socket.on('error', (cause) => {
      reject(cause instanceof ScannerAwayError ? cause : new ScannerAwayError('it broke off', { cause }))
    })
    socket.on('close', () => reject(new ScannerAwayError('it broke off')))
  })
}
