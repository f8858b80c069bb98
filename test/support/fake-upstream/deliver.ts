import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Behaviour, UpstreamTrouble } from './behaviour.ts'
import type { RequestRecord } from './lanes.ts'
import { planAnswer } from './plan.ts'
import type { Asked, Plan, Whole, Wire } from './wire.ts'

interface Delivery {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly record: RequestRecord
  readonly behaviour: Behaviour
}

/** Answers a request as the wire has it and the behaviour wants it. */
export async function deliver(wire: Wire, delivery: Delivery): Promise<void> {
  const { response, record, behaviour } = delivery
  const { trouble, headMs = 0 } = behaviour
  if (headMs > 0) await sleep(headMs)
  if (trouble?.kind === 'hang') return
  if (trouble?.kind === 'cut' && trouble.after === undefined) return void response.destroy()
  if (trouble?.kind === 'status') return refuse(wire, response, trouble)
  const other = wire.other(record)
  if (other) return send(response, other)
  const asked = wire.read(record)
  const plan = planAnswer(asked, behaviour)
  if (asked.stream) return stream(wire, delivery, plan, asked)
  if (behaviour.firstMs) await sleep(behaviour.firstMs)
  if (trouble?.kind === 'stall') return void response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  if (trouble?.kind === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":', () => response.destroy())
    return
  }
  if (trouble?.kind === 'garbage') return void response.writeHead(200).end('<html>')
  send(response, { body: wire.whole(plan) })
}

function refuse(
  wire: Wire,
  response: ServerResponse,
  { status, retryAfter }: Extract<UpstreamTrouble, { kind: 'status' }>,
): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  send(response, { status, headers, body: wire.error(status).body })
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Whole): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function stream(wire: Wire, { response, record, behaviour }: Delivery, plan: Plan, asked: Asked): Promise<void> {
  const { trouble, firstMs = 0, pieceMs = 0 } = behaviour
  const { open, pieces, close } = wire.frames(plan, asked)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(open.join(''))
  if (open.length === 0) response.flushHeaders()
  for (const [at, frames] of pieces.entries()) {
    const wait = at === 0 ? firstMs : pieceMs
    if (wait > 0) await sleep(wait)
    if (response.destroyed) return
    if (isDue(trouble, at)) return spoil(wire, response, trouble)
    response.write(frames.join(''))
    record.pieces += 1
  }
  if (isDue(trouble, pieces.length)) return spoil(wire, response, trouble)
  response.end(close.join(''))
}

type Spoiling = Extract<UpstreamTrouble, { readonly after?: number }>

function isDue(trouble: UpstreamTrouble | undefined, sent: number): trouble is Spoiling {
  return trouble !== undefined && 'after' in trouble && trouble.after !== undefined && sent >= trouble.after
}

function spoil(wire: Wire, response: ServerResponse, trouble: Spoiling): void {
  switch (trouble.kind) {
    case 'stall':
      return
    case 'cut':
      // Let what was written reach the wire first.
      return void setImmediate(() => response.destroy())
    case 'end':
      return void response.end()
    case 'error':
      return void response.end(wire.error(529).frame)
    case 'garbage':
      return void response.end('data: <html>not JSON</html>\n\n')
  }
}
