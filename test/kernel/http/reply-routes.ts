import { Readable } from 'node:stream'
import {
  accepted,
  bare,
  created,
  data,
  defineError,
  eventStream,
  jsonText,
  raw,
  redirect,
  withEtag,
  type Route,
  type RouteContext,
  type ServerEvent,
} from '#kernel'

const ProbeError = defineError(4099, 'probe_failed', 'The probe failed')

/** Told when a source without an end is let go; a test sets it. */
export const sources: { ended?: (value: unknown) => void } = {}

function route(path: string, handler: (ctx: RouteContext) => unknown, more: Partial<Route> = {}): Route {
  return { method: 'get', path, summary: path, auth: 'none', answers: 'any', handler, ...more }
}

async function* endless(): AsyncGenerator<ServerEvent> {
  try {
    for (let at = 0; ; at += 1) {
      yield { data: { at } }
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    sources.ended?.(true)
  }
}

/** Is open from the beginning, and not only once somebody reads it. */
const open: AsyncIterable<ServerEvent> = {
  [Symbol.asyncIterator]: () => ({
    next: () => new Promise(() => undefined),
    return: () => {
      sources.ended?.(true)
      return Promise.resolve({ done: true, value: undefined })
    },
  }),
}

async function* failing(error: Error): AsyncGenerator<ServerEvent> {
  yield await Promise.resolve({ event: 'a\nb', id: '1\n', data: 'two\nlines' })
  throw error
}

function* halfway(): Generator<Buffer> {
  yield Buffer.from('half')
  throw new Error('the disk is gone')
}

/** A route for each kind of reply. */
export const routes = [
  route('/value', () => ({ a: 1 })),
  route('/nothing', () => undefined),
  route('/created', () => created({ id: 1 }, { Location: '/things/1' })),
  route('/accepted', () => accepted({ id: 1 })),
  route('/text', () => jsonText('{"a":  1}')),
  route('/bare', () => bare({ token: 'x' }, { headers: { pragma: 'no-cache' } })),
  route('/no-content', () => data(undefined, { status: 204 })),
  route('/etag', (ctx) => {
    ctx.requireMatch('v1')
    return withEtag({ a: 1 }, 'v1')
  }),
  route('/etag', (ctx) => (ctx.requireMatch('v1'), 'changed'), { method: 'put' }),
  route('/private', () => withEtag('x', 'v2'), { auth: 'user' }),
  route('/header', (ctx) => (ctx.setHeader('Cache-Control', 'max-age=60'), 'x')),
  route('/redirect', () => redirect('/value')),
  route('/html', () => raw('<p>', 'text/html; charset=utf-8')),
  route('/buffer', () => raw(Buffer.from([1, 2]), 'image/png', { headers: { 'content-security-policy': 'sandbox' } })),
  route('/own-file', () => raw('mine', 'text/plain'), { auth: 'optional' }),
  route('/stream', () => Readable.from(['one', 'two'], { objectMode: false })),
  route('/broken-stream', () => Readable.from(halfway(), { objectMode: false })),
  route('/late-stream', () => {
    const source = new Readable({ read: () => undefined })
    setImmediate(() => source.destroy(new Error('there is no such file')))
    return source
  }),
  route('/waiting-stream', () => {
    const source = new Readable({ read: () => undefined })
    source.push('first')
    source.once('close', () => sources.ended?.(true))
    return source
  }),
  route('/events', () => eventStream(Readable.from([{ event: 'note', id: '7', data: { a: 1 } }, { data: '[DONE]' }]))),
  route('/endless-events', () => eventStream(endless())),
  route('/open-events', () => eventStream(open)),
  route('/failing-events', () => eventStream(failing(new ProbeError()))),
  route('/broken-events', () => eventStream(failing(new Error('secret')))),
  route('/promise', () => ({ a: 1 }), {
    answers: [200],
    schema: { response: { type: 'object', required: ['b'], properties: { b: {} } } },
  }),
]
