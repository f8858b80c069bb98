import type { Rule } from './tcp-proxy.ts'

const protocol = 196_608
const sync = Buffer.from([0x53, 0, 0, 0, 4])
const ready = Buffer.from([0x5a, 0, 0, 0, 5])

/** Has a server refuse each statement that says this, as PostgreSQL does, with this SQLSTATE; it learns of none of them. */
export function refuseStatements(said: RegExp, code: string, message: string): Rule {
  const refused = new Set<number>()
  return (piece, from, connection) => {
    if (from === 'server') return 'pass'
    if (!refused.has(connection) && !said.test(piece.toString('latin1'))) return 'pass'
    const isSimple = piece[0] === 0x51
    refused.add(connection)
    // Of a statement with values more may come, up to its end.
    if (!isSimple && !piece.subarray(-sync.length).equals(sync)) return 'swallow'
    refused.delete(connection)
    return { bytes: Buffer.concat([refusal('ERROR', code, message), ready, Buffer.from('E')]), isLast: false }
  }
}

/** Has a server end each session that asks anything with this SQLSTATE, and let nobody in, as while it stops and starts. */
export function refuseSessions(code: string): Rule {
  return (piece, from) => {
    if (from === 'server') return 'pass'
    const isNew = piece.length >= 8 && piece.readInt32BE(4) === protocol
    const words = isNew
      ? refusal('FATAL', '57P03', 'the database system is starting up')
      : refusal('FATAL', code, 'stop')
    return { bytes: words, isLast: true }
  }
}

function refusal(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
