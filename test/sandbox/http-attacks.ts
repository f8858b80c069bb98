import { gzipSync } from 'node:zlib'

/** An answer that no proper server gives: what is sent, whether it is sent for ever, and what the guest is told. */
export interface HttpAttack {
  readonly name: string
  readonly begins: string | Buffer
  /** Sent again and again until the connection ends. */
  readonly goesOn?: string | Buffer
  readonly told: string | number
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`
const whole = (content: Buffer, encoding: string): Buffer =>
  Buffer.concat([
    Buffer.from(`${ok}Content-Encoding: ${encoding}\r\nContent-Length: ${content.length}\r\n\r\n`),
    content,
  ])
const attack = (
  name: string,
  told: string | number,
  begins: string | Buffer,
  goesOn?: string | Buffer,
): HttpAttack => ({
  name,
  told,
  begins,
  ...(goesOn === undefined ? {} : { goesOn }),
})
const invalid = 'upstream response_invalid'
const large = 'upstream response_too_large'
const failed = 'upstream connection_failed'

/** Answers without an end: all of them are ended by their cost, long before the time is over. */
export const endlessAnswers: readonly HttpAttack[] = [
  attack('interim answers', invalid, '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)),
  attack('chunk extensions', large, chunked, `1;${'e'.repeat(8_000)}\r\nx\r\n`),
  attack('one chunk extension', large, `${chunked}1;`, 'e'.repeat(65_536)),
  attack('chunks of one byte', invalid, chunked, '1\r\nx\r\n'.repeat(5_000)),
  attack('trailers', invalid, `${chunked}1\r\nx\r\n0\r\n`, 'a: b\r\n'.repeat(5_000)),
  attack('headers', invalid, ok, 'a: bbbbbbbbbbbbbbbb\r\n'.repeat(2_000)),
  attack('the smallest headers', invalid, ok, 'a:\r\n'.repeat(10_000)),
  attack('a reason', large, 'HTTP/1.1 200 ', 'r'.repeat(65_536)),
  attack('a body', large, `${ok}\r\n`, Buffer.alloc(65_536)),
]

/** Answers that say more than one thing, or nothing that is HTTP. */
export const oddAnswers: readonly HttpAttack[] = [
  attack('two lengths', failed, `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`),
  attack(
    'a length and chunks',
    failed,
    `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  ),
  attack('a length below zero', invalid, `${ok}Content-Length: -1\r\n\r\n`),
  attack('a chunk size that is none', invalid, `${chunked}zz\r\nx`),
  attack('a NUL in a header', invalid, `${ok}X: a\0b\r\n\r\n`),
  attack('a header that goes on after CR', invalid, `${ok}X: a\rb\r\n\r\n`),
  attack('lines that end in LF', invalid, 'HTTP/1.1 200 OK\nX: a\n\nx'),
  attack('a status of nought', invalid, 'HTTP/1.1 0 OK\r\n\r\n'),
  attack('HTTP/0.9', invalid, '<html>hello</html>'),
  attack('another protocol', invalid, 'SSH-2.0-OpenSSH_9.6\r\n'),
  attack(
    'another protocol from now on',
    failed,
    'HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nx',
  ),
  attack('a go-ahead that nobody waits for', failed, `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 1\r\n\r\nx`),
  attack('names of Object.prototype', 200, `${ok}__proto__: a\r\nconstructor: b\r\nContent-Length: 1\r\n\r\n1`),
  attack('three encodings', invalid, whole(gzipSync(gzipSync(gzipSync('x'))), 'gzip, gzip, gzip')),
  attack('an encoding of that name', invalid, whole(Buffer.from('x'), '__proto__')),
  attack('less than it should be', invalid, whole(gzipSync('x'.repeat(9_999)).subarray(0, 30), 'gzip')),
  // Decoded once it is 24 MB of gzip, decoded twice it is nothing.
  attack('much between two encodings', large, whole(gzipSync(manyTimes(gzipSync(''), 1_200_000)), 'gzip, gzip')),
]

function manyTimes(piece: Buffer, times: number): Buffer {
  return Buffer.alloc(piece.length * times, piece)
}
