import { Readable } from 'node:stream'
import {
  created,
  defineError,
  defineRoute,
  raw,
  UnauthenticatedError,
  withoutEffect,
  type Route,
  type RouteContext,
} from '#kernel'
import type { Answer, CallOptions } from '../../support/api.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { probeIdentity, probeRoutes } from '../../support/probe.ts'

const RefusedError = defineError(4002, 'probe_refused', 'The rule {rule} refuses it')
const TakenError = defineError(4091, 'probe_taken', 'It is taken')
const BusyError = defineError(4299, 'probe_busy', 'Too many')
const AwayError = defineError(5030, 'probe_away', 'Away')
/** How often a handler did its work. */
export const done = { runs: 0 }
let open: (() => void) | undefined
/** Whether a handler waits. */
export const isHeld = (): boolean => open !== undefined
/** Lets the handler that waits go on. */
export const letGo = (): void => {
  open?.()
  open = undefined
}
/** What the route that cannot keep its answer does first. */
export const unkept: { lose: () => Promise<unknown> } = { lose: () => Promise.resolve() }

function post(path: string, handler: (ctx: RouteContext) => unknown, more: Partial<Route> = {}): Route {
  const schema = { body: { type: 'object' } } as const
  return defineRoute({ method: 'post', path, summary: path, answers: 'any', schema, handler, ...more })
}

const routes = [
  post('/notes', () => created({ run: (done.runs += 1) }, { location: `/notes/${done.runs}` })),
  post('/other', () => ({ run: (done.runs += 1) })),
  post('/free', () => ({ run: (done.runs += 1) }), { idempotent: false }),
  post('/open', () => ({ run: (done.runs += 1) }), { auth: 'none' }),
  post('/refused', () => {
    done.runs += 1
    throw new RefusedError({ rule: 'x' }, { details: { run: done.runs } })
  }),
  post('/broken', () => {
    done.runs += 1
    throw new Error('broken')
  }),
  failing('/taken', () => new TakenError()),
  failing('/busy', () => new BusyError()),
  failing('/away', () => new AwayError()),
  failing('/untouched', () => withoutEffect(new AwayError())),
  failing('/unknown-caller', () => new UnauthenticatedError()),
  post('/bytes', () => raw(`run ${(done.runs += 1)}`, 'text/plain', { status: 202 })),
  post('/stream', () => raw(Readable.from([`run ${(done.runs += 1)}`]), 'text/plain')),
  post('/abandoned', async (ctx) => {
    done.runs += 1
    await new Promise<void>((resolve) => (open = resolve))
    return { isAborted: ctx.signal.aborted }
  }),
  post('/unkept', async () => {
    await unkept.lose()
    return { run: (done.runs += 1) }
  }),
  post('/upload', () => ({ run: (done.runs += 1) }), { accepts: ['multipart'] }),
  post('/slow', async () => {
    await new Promise<void>((resolve) => (open = resolve))
    return { run: (done.runs += 1) }
  }),
]

/** Fails after work that cannot be undone. */
function failing(path: string, error: () => Error): Route {
  return post(path, () => {
    done.runs += 1
    throw error()
  })
}

/** A host with routes that can be asked again. */
export function startIdempotencyHost(): Promise<TestKernel> {
  return startTestKernel({ plugins: [probeRoutes(...routes), probeIdentity], poolSize: 1 })
}

/** Asks a route of it under a key. */
export function askOf(host: TestKernel, path: string, key: string, options: CallOptions = {}): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  return host.request('POST', path, { token: 'tenant:1:7', body: {}, ...options, headers })
}

/** What a test compares of an answer. */
export function shown({ status, headers, body }: Answer) {
  return [status, headers['idempotent-replayed'] ?? null, body['data'] ?? body['code']]
}
