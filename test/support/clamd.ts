import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

/** How it behaves: as clamd does, or as nobody should. */
type ClamdMood =
  | 'honest'
  | 'stalls'
  | 'cuts'
  | 'breaks_its_word'
  | 'speaks_too_early'
  | 'talks_nonsense'
  | 'refuses_length'
  | 'hangs_up_on_length'

/** A stand-in for clamd that knows INSTREAM. */
export interface Clamd extends AsyncDisposable {
  readonly port: number
  mood: ClamdMood
  /** The contents that came whole. */
  readonly seen: readonly Buffer[]
  /** Somebody was told that it is too long, and left alone with the rest of it. */
  readonly hungUp: PromiseWithResolvers<void>
}

/** What it takes for a virus. */
export const virus = 'X5O!-a-virus-of-the-test'
const start = Buffer.from('zINSTREAM\0')

/** Starts it on loopback; with a port, where another one was. */
export async function startClamd(at = 0): Promise<Clamd> {
  const seen: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    serve(socket, clamd, seen)
  }).listen(at, '127.0.0.1')
  await once(server, 'listening')
  const clamd: Clamd = {
    port: (server.address() as AddressInfo).port,
    mood: 'honest',
    seen,
    hungUp: Promise.withResolvers(),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return clamd
}

function serve(socket: Socket, clamd: Clamd, seen: Buffer[]): void {
  let came = Buffer.alloc(0)
  if (clamd.mood === 'speaks_too_early') socket.write('stream: OK\0')
  if (clamd.mood === 'refuses_length') socket.end('INSTREAM size limit exceeded. ERROR\0')
  socket.on('data', (bytes: Buffer) => {
    if (clamd.mood === 'hangs_up_on_length') return hangUp(socket, clamd)
    came = Buffer.concat([came, bytes])
    const content = wholeContent(came)
    if (content === undefined) return
    seen.push(content)
    answer(socket, clamd.mood, content)
  })
}

function answer(socket: Socket, mood: ClamdMood, content: Buffer): void {
  if (mood === 'stalls') return
  if (mood === 'cuts') return void socket.destroy()
  if (mood === 'breaks_its_word') return void socket.end('stream: OK')
  if (mood === 'talks_nonsense') return void socket.end('UNKNOWN COMMAND\0')
  socket.end(content.includes(virus) ? 'stream: Test.Virus-1 FOUND\0' : 'stream: OK\0')
}

/** As clamd 1.4 does beyond its StreamMaxLength. */
function hangUp(socket: Socket, { hungUp }: Clamd): void {
  socket.pause().write('INSTREAM size limit exceeded. ERROR\0')
  socket.destroy()
  hungUp.resolve()
}

/** Undefined until the chunk of no length has come. */
function wholeContent(came: Buffer): Buffer | undefined {
  if (!came.subarray(0, start.length).equals(start)) return undefined
  const chunks: Buffer[] = []
  for (let at = start.length; at + 4 <= came.length;) {
    const length = came.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(came.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
