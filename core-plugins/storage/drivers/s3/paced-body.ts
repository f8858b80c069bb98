import { Readable } from 'node:stream'
import type { CallClock } from './call-clock.ts'

/** What is no longer leaves at once, and needs no pieces for its progress to show. */
const pieceBytes = 65_536

/** A body that may take its time as long as it moves: the client judges each piece of it, and the clock stands still meanwhile. */
export function pacedBody(body: Buffer, clock: CallClock): Buffer | Readable {
  if (body.length <= pieceBytes) return body
  function* pieces(): Generator<Buffer> {
    clock.hold()
    try {
      for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
    } finally {
      clock.go()
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: pieceBytes })
}
