import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import type { AppError } from '#kernel'
import type { PluginFailure, Release } from '#sandbox'
import { describeLine } from '../../marketplace/dev/describe-line.ts'
import { KnownSecrets } from '../../sandbox/broker/known-secrets.ts'
import { explain } from '../../sandbox/host/explain.ts'
import { createAuthorView, endOf, whyLimited } from '../../sandbox/source-map/author-view.ts'
import { silentLog } from '../support/kernel.ts'
import { grantsFor, startPluginWorld, type PluginWorld } from './plugin-world.ts'

const source = `
async function ask(ctx) {
  for (;;) await ctx.users.list({})
}
function spin() {
  for (;;);
}
export default {
  handlers: {
    flood: (request, ctx) => ask(ctx),
    slow: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
    spin,
    large: () => 'a'.repeat(2_000_000),
    grow: () => {
      const kept = []
      for (;;) kept.push(new Array(1_000_000).fill(kept.length))
    },
    wait: (request, ctx) => ctx.users.get(1),
  },
  jobs: { work: spin },
  services: { find: spin },
}
`
/** Every line of the bundle is the one of the author's file with the same number. */
const map = JSON.stringify({
  version: 3,
  sources: ['src/index.ts'],
  names: [],
  mappings: ['AAAA', ...source.split('\n').map(() => 'AACA')].join(';'),
})
const tenant = { id: 1, code: 'one' }

describe('what the author reads of a limit', () => {
  let world: PluginWorld
  let release: Release
  const lines: Record<string, unknown>[] = []
  /** The wall clock is not what the other calls end by, however busy the machine is. */
  const limits = { cpuMs: 300, wallMs: 60_000, responseBytes: 1_048_576 }

  before(async () => {
    const log = { ...silentLog, debug: (fields: object) => void lines.push(fields as Record<string, unknown>) }
    world = await startPluginWorld(limits, {
      log,
      users: { find: () => new Promise(() => undefined), list: () => Promise.resolve([]) },
    })
    const route = (path: string, handler: string) => ({ method: 'POST', path, handler, permission: 'use' }) as const
    const handlers = ['flood', 'slow', 'spin', 'large', 'grow', 'wait']
    release = await world.release(
      {
        capabilities: ['users:read_basic', 'jobs', 'services:provide'],
        tenant_routes: handlers.map((handler) => route(`/${handler}`, handler)),
        jobs: [{ name: 'import', handler: 'work' }],
        provides: {
          services: [
            {
              name: 'contacts',
              version: '1.0.0',
              methods: [{ name: 'find', handler: 'find', input: { type: 'object' }, effect: 'read' }],
            },
          ],
        } as never,
      },
      source,
      { 'dist/index.js.map': map },
    )
  })
  after(() => world[Symbol.asyncDispose]())
  afterEach(() => {
    limits.wallMs = 60_000
    limits.cpuMs = 300
    world.sandbox.reset(release.name)
    world.sandbox.metering.takeFailures()
  })

  const call = (kind: 'handler' | 'job' | 'service', name: string) =>
    world.sandbox.call({ release, grants: grantsFor(release), target: { kind, name }, input: '{}', tenant })

  async function failureOf(kind: 'handler' | 'job' | 'service', name: string): Promise<PluginFailure> {
    equal((await call(kind, name)).ok, false)
    const [failure] = world.sandbox.metering.takeFailures()
    ok(failure)
    return failure
  }

  it('names the route, the limit and the line that called the host too often', async () => {
    const { message, stack } = await failureOf('handler', 'flood')
    equal(message.words, 'POST /flood called the host more than 200 times')
    match(stack ?? '', /^\s+at ask \(src\/index\.ts:3:\d+\)/)
    doesNotMatch(stack ?? '', /stoa:guest|node:|file:/)
  })

  it('says what a late call was waiting for', async () => {
    limits.wallMs = 1_500
    const { message } = await failureOf('handler', 'wait')
    equal(message.words, 'POST /wait took longer than 1500 ms; it was waiting for users.get')
    equal((await failureOf('handler', 'slow')).message.words, 'POST /slow took longer than 1500 ms')
  })

  it('names job and service by what the manifest calls them', async () => {
    equal((await failureOf('job', 'work')).message.words, 'job import used more than 300 ms of CPU time')
    equal((await failureOf('service', 'find')).message.words, 'service contacts.find used more than 300 ms of CPU time')
  })

  it('names memory and the size of an answer', async () => {
    // Whichever limit is met first is told of: a busy machine needs longer to fill memory.
    limits.cpuMs = 30_000
    equal((await failureOf('handler', 'large')).message.words, 'The answer of POST /large is larger than 1024 KB')
    equal((await failureOf('handler', 'grow')).message.words, 'POST /grow needed more than 128 MB of memory')
  })

  it('leads to the line of a loop where the engine stopped it, which it does where calls share an isolate', async () => {
    const error = new Error('Script execution timed out.')
    error.stack = `Error: ${error.message}
    at spin (plugin:dist/index.js:6:3)
    at run (stoa:guest:1:89525)
    at (<isolated-vm boundary>)
    at file:///host.js:1:1`
    const spent = { correctCpu: () => undefined, hasSpentCpu: true }
    const failure = explain(spent as never, error, undefined as never)
    const bounds = { limits: { cpuMs: 300 }, code: {} } as never
    const view = createAuthorView(new KnownSecrets())
    const shown = await view({ release, tenant, target: { kind: 'handler', name: 'spin' } }, failure, bounds)
    equal(whyLimited(shown), 'POST /spin used more than 300 ms of CPU time\n    at spin (src/index.ts:6:1)')
  })

  it('is in the lines of stoa dev', async () => {
    lines.length = 0
    await call('handler', 'flood')
    const shown = lines.flatMap((fields) =>
      describeLine(fields, release.name, { cpuMs: 300, wallMs: 1_500, hostCalls: 200 }),
    )
    equal(shown[1], '  ! POST /flood called the host more than 200 times')
    match(shown[2] ?? '', /^ {2}! {5}at ask \(src\/index\.ts:3:/)
  })

  it('stands beside the bounds of the call itself, and so does what a caller was refused with', () => {
    const error = { name: 'PluginError', code: 'invalid', message: 'There is no such day' }
    const end = endOf({ cpuMs: 10_000, wallMs: 60_000 } as never, { kind: 'threw', error } as never)
    const cost = { cpuMs: 1, wallMs: 2, hostCalls: 3 }
    const fields = { guest: 'a.b', target: { kind: 'job', name: 'work' }, ...end, cost }
    deepEqual(describeLine(fields, 'a.b', { cpuMs: 1_000, wallMs: 10_000, hostCalls: 200 }), [
      'job work: threw, 1 of 10000 ms CPU, 2 of 60000 ms, 3 of 200 host calls',
      '  ! invalid: There is no such day',
    ])
    deepEqual(endOf({} as never, undefined), {
      ...{ ending: 'done', why: undefined },
      most: { cpuMs: undefined, wallMs: undefined },
    })
  })

  it('is told in the language of who reads it', async () => {
    const { message } = await failureOf('handler', 'large')
    deepEqual([message.reason, message.values], ['notice.limit_answer', { entry: 'POST /large', most: 1_024 }])
  })

  it('shows callers nothing', async () => {
    const target = { kind: 'handler', name: 'flood' } as const
    const error = await world.sandbox
      .answer({ release, grants: grantsFor(release), target, input: '{}', tenant })
      .catch((refusal: AppError) => refusal)
    ok(error instanceof Error)
    deepEqual([error.message, error.details], ['The plugin went beyond its limits', { limit: 'host_calls' }])
    doesNotMatch(JSON.stringify(error), /flood|index\.ts/)
  })
})
