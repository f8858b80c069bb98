import { createSocket } from 'node:dgram'

/** A name server on loopback that answers what the test says. */
export interface FakeDns extends AsyncDisposable {
  /** As DNS_SERVERS takes it. */
  readonly address: string
  /** Every question it got, such as `A name`. */
  readonly questions: readonly string[]
}

const types: Readonly<Record<number, string>> = { 1: 'A', 5: 'CNAME', 16: 'TXT', 28: 'AAAA', 257: 'CAA' }

/**
 * Starts it; `answer` gives the records of a name each time it is asked: addresses, IPv6 ones written in full, a host name for
 * CNAME, a text for TXT, `issue letsencrypt.org` for CAA. Undefined lets the question go unanswered, bytes are sent as they are.
 */
export async function startFakeDns(
  answer: (name: string, type: string) => readonly string[] | Buffer | undefined,
): Promise<FakeDns> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, end } = readName(message)
    const type = types[message.readUInt16BE(end)] ?? '?'
    questions.push(`${type} ${name}`)
    const records = answer(name, type)
    if (!records) return
    if (Buffer.isBuffer(records)) return void socket.send(records, port, address)
    const isAddress = type === 'A' || type === 'AAAA'
    const fitting = records.filter((text) => !isAddress || text.includes(':') === (type === 'AAAA'))
    socket.send(reply(message.subarray(0, end + 4), type, fitting), port, address)
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

function reply(question: Buffer, type: string, records: readonly string[]): Buffer {
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, question.subarray(12), ...records.map((text) => record(type, encode(type, text)))])
}

/** A pointer to the question's name, its type, class IN, no caching, and the content. */
function record(type: string, content: Buffer): Buffer {
  const head = Buffer.from('c00c0000000100000000', 'hex')
  head.writeUInt16BE(Number(Object.entries(types).find(([, name]) => name === type)?.[0]), 2)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length)
  return Buffer.concat([head, length, content])
}

function encode(type: string, text: string): Buffer {
  if (type === 'A') return Buffer.from(text.split('.').map(Number))
  if (type === 'AAAA')
    return Buffer.from(text.replace(/[^:]+/g, (group) => group.padStart(4, '0')).replaceAll(':', ''), 'hex')
  if (type === 'CNAME') return Buffer.concat([...text.split('.').map(counted), Buffer.from([0])])
  if (type === 'TXT') return counted(text)
  const [tag = '', ...value] = text.split(' ')
  return Buffer.concat([Buffer.from([0]), counted(tag), Buffer.from(value.join(' '))])
}

function counted(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}
