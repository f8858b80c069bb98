import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { BadRequestError, type AppError } from '../errors.ts'
import type { ToldError } from '../locale/text-teller.ts'
import { errorBody, patience } from './error-body.ts'
import { traceIdOf } from './trace.ts'

/** Answers bytes that are no HTTP request, and cuts the connection where an answer is under way or nobody listens. */
export function answerClientError(error: Error, socket: Duplex, underWay: ServerResponse | undefined): void {
  const isUnderWay = underWay?.headersSent && !underWay.writableFinished
  if (!socket.writable || isUnderWay || ('code' in error && error.code === 'ECONNRESET')) return void socket.destroy()
  const refused = new BadRequestError({ cause: error })
  endWithError(socket, refused, refused, traceIdOf(undefined))
}

/** Answers with an error on a connection that has no answer of Node's, and closes it. */
export function endWithError(socket: Duplex, error: AppError, told: ToldError, traceId: string): void {
  const body = JSON.stringify(errorBody(error, told, traceId))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Trace-Id: ${traceId}`,
    'Connection: close',
    ...Object.entries({ ...patience(error), ...error.headers }).map(([name, value]) => `${name}: ${String(value)}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
