import { createSocket } from 'node:dgram'

/** A name server on loopback that answers what the test says. */
export interface FakeDns extends AsyncDisposable {
  /** As DNS_SERVERS takes it. */
  readonly address: string
  /** Every question it got: `A name` or `AAAA name`. */
  readonly questions: readonly string[]
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

/** Starts it; `answer` gives the addresses of a name each time it is asked, IPv6 ones written in full. */
export async function startFakeDns(answer: (name: string, type: string) => readonly string[]): Promise<FakeDns> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message)
    const type = TYPES[message.readUInt16BE(end)] ?? '?'
    questions.push(`${type} ${name}`)
    const records = answer(name, type).filter((ip) => ip.includes(':') === (type === 'AAAA'))
    socket.send(reply(message.subarray(0, end + 4), records), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readName(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = message[offset] ?? 0; length > 0; length = message[offset] ?? 0) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return { name: labels.join('.'), end: offset + 1 }
}

function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, question.subarray(12), ...addresses.map(record)])
}

/** A pointer to the question's name, its type, class IN, no caching, and the address. */
function record(address: string): Buffer {
  const bytes = address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))
  const head = Buffer.from('c00c000000010000000000', 'hex')
  head.writeUInt16BE(bytes.length === 16 ? 28 : 1, 2)
  return Buffer.concat([head, Buffer.from([bytes.length]), bytes])
}
