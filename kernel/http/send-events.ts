import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AppError, InternalError } from '../errors.ts'
import { addHeaders, type AnswerHeaders } from './answer-headers.ts'
import type { ServerEvent } from './reply.ts'
import type { RequestContext } from './request-context.ts'

const heartbeatMilliseconds = 15_000

/** Sends Server-Sent Events until the source ends, the caller goes away or the process stops; a failure is the last event. */
export async function sendEvents(
  ctx: RequestContext,
  headers: AnswerHeaders,
  events: AsyncIterable<ServerEvent>,
): Promise<void> {
  const { response } = ctx
  const { stopping } = ctx.server
  addHeaders(headers, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.writeHead(200, headers)
  if (ctx.method === 'HEAD') {
    response.end()
    return leave(ctx, events)
  }
  response.flushHeaders()
  const source = events[Symbol.asyncIterator]()
  const ending = watchEnd()
  const heartbeat = setInterval(() => {
    // A reader that is behind proves that the connection stands.
    if (!response.writableNeedDrain) response.write(': hb\n\n')
  }, heartbeatMilliseconds).unref()
  response.once('close', ending.end)
  stopping.addEventListener('abort', ending.end)
  if (stopping.aborted || response.closed) ending.end()
  try {
    await pump(source, response, ending)
  } catch (error) {
    if (!response.destroyed) response.write(frame(failureOf(ctx, error)))
  } finally {
    clearInterval(heartbeat)
    response.off('close', ending.end)
    stopping.removeEventListener('abort', ending.end)
    response.end()
    leave(ctx, { [Symbol.asyncIterator]: () => source })
  }
}

/** Tells a source that nobody reads it. Not awaited: a source that hangs must not hold the request. */
export function leave(ctx: RequestContext, events: AsyncIterable<ServerEvent>): void {
  const left = events[Symbol.asyncIterator]().return?.()
  left?.then(undefined, (error: unknown) => ctx.log.warn({ err: error }, 'events failed to end'))
}

interface Ending {
  readonly end: () => void
  /** What a promise gives, or 'ended' when the end comes first. */
  before<T>(promise: Promise<T>): Promise<T | 'ended'>
}

/** Not Promise.race: a promise that outlives thousands of races would keep all of them. */
function watchEnd(): Ending {
  let isOver = false
  let tell: (() => void) | undefined
  return {
    end() {
      isOver = true
      tell?.()
    },
    before: <T>(promise: Promise<T>) =>
      new Promise<T | 'ended'>((resolve, reject) => {
        tell = () => resolve('ended')
        if (isOver) tell()
        promise.then(resolve, reject)
      }),
  }
}

async function pump(source: AsyncIterator<ServerEvent>, response: ServerResponse, ending: Ending): Promise<void> {
  for (;;) {
    const next = await ending.before(source.next())
    if (next === 'ended' || next.done) return
    if (response.write(frame(next.value))) continue
    const waiting = new AbortController()
    const drained = await ending.before(once(response, 'drain', { signal: waiting.signal }))
    if (drained !== 'ended') continue
    waiting.abort()
    return
  }
}

/** An event on the wire; text goes out as it is, anything else as JSON. */
function frame({ event, id, data, retry }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? null)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  const wait = retry === undefined ? '' : `retry: ${retry}\n`
  return `${wait}${field('id', id)}${field('event', event)}${lines.join('')}\n`
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `${name}: ${value.replace(/[\r\n\0]/g, ' ')}\n`
}

function failureOf(ctx: RequestContext, error: unknown): ServerEvent {
  if (!(error instanceof AppError)) ctx.log.error({ err: error }, 'a source of events failed')
  const { code, reason, message } = error instanceof AppError ? error : new InternalError()
  return { event: 'error', data: { code, message, trace_id: ctx.traceId, reason } }
}
