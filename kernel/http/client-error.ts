import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { BadRequestError } from '../errors.ts'
import { errorBody } from './error-body.ts'
import { traceIdOf } from './trace.ts'

/** Answers bytes that are no HTTP request, and cuts the connection where an answer is under way or nobody listens. */
export function answerClientError(error: Error, socket: Duplex, underWay: ServerResponse | undefined): void {
  const isUnderWay = underWay?.headersSent && !underWay.writableFinished
  if (!socket.writable || isUnderWay || ('code' in error && error.code === 'ECONNRESET')) return void socket.destroy()
  const refused = new BadRequestError({ cause: error })
  const traceId = traceIdOf(undefined)
  const body = JSON.stringify(errorBody(refused, refused, traceId))
  const head = [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Trace-Id: ${traceId}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
