import type { EffectiveLimits, LimitName } from '#sandbox'
import type { LimitsWorld } from './limits-world.ts'

/** How a limit is reached through a real isolate, and what comes of it. */
export interface LimitCase {
  /** Set before; lower than the table, so that reaching it is cheap. */
  readonly limits: Partial<EffectiveLimits>
  /** The source of a handler: `(input, ctx, db) => …`. */
  readonly guest: string
  readonly expected: unknown
  /** What is done with the handler; called once unless said otherwise. */
  readonly run?: (world: LimitsWorld, name: LimitName) => Promise<unknown>
}

const forever = '() => new Promise(() => {})'
const spin = '() => { for (;;); }'
const caught = (work: string): string =>
  `async (input, ctx, db) => { try { ${work} } catch (error) { return told(error) } }`
const failed = '5008 sandbox_failed'
const megabyte = 1_048_576

/** Several calls at once; what the last of them is told. */
function atOnce(tenants: readonly number[]): NonNullable<LimitCase['run']> {
  return async (world, name) => {
    const answers = await Promise.all(tenants.map((tenant) => world.call(name, { tenant })))
    return answers.at(-1)
  }
}

/** Every limit of a call, but those of its hooks, requests, objects and tables. */
export const callLimits: Partial<Record<LimitName, LimitCase>> = {
  memoryMb: {
    limits: { cpuMs: 5_000 },
    guest: '() => { const kept = []; for (;;) kept.push(new Array(100_000).fill(1.5)) }',
    expected: `${failed} memory`,
  },
  cpuMs: { limits: { cpuMs: 60 }, guest: spin, expected: `${failed} cpu` },
  jobCpuMs: { limits: { jobCpuMs: 60 }, guest: spin, expected: `${failed} cpu`, run: (world) => world.hook('disable') },
  wallMs: { limits: { wallMs: 100 }, guest: forever, expected: '5040 plugin_timeout' },
  hookWallMs: {
    limits: { hookWallMs: 100 },
    guest: forever,
    expected: '5040 plugin_timeout',
    run: (world) => world.hook('enable'),
  },
  uninstallHookWallMs: {
    limits: { uninstallHookWallMs: 100 },
    guest: forever,
    expected: '5040 plugin_timeout',
    run: (world) => world.hook('uninstall'),
  },
  concurrency: {
    limits: { concurrency: 1, queue: 0, wallMs: 300 },
    guest: forever,
    expected: '4298 plugin_concurrency concurrency',
    run: atOnce([1, 2]),
  },
  tenantConcurrency: {
    limits: { tenantConcurrency: 1, queue: 0, wallMs: 300 },
    guest: forever,
    expected: '4298 plugin_concurrency queue',
    run: atOnce([1, 1]),
  },
  queue: {
    limits: { tenantConcurrency: 1, queue: 1, wallMs: 300 },
    guest: forever,
    expected: '4298 plugin_concurrency queue',
    run: atOnce([1, 1, 1]),
  },
  requestBytes: {
    limits: { requestBytes: 1_000 },
    guest: caught(`return await ctx.cache.set('key', 'x'.repeat(2_000))`),
    expected: 'invalid argument_too_large',
  },
  responseBytes: {
    limits: { responseBytes: 1_000 },
    guest: `() => 'x'.repeat(2_000)`,
    expected: '5029 plugin_response_invalid response_bytes',
  },
  hostCalls: {
    limits: { hostCalls: 3 },
    // No endless loop, which would end at any bound.
    guest: `async (input, ctx) => { for (let left = 4; left > 0; left--) await ctx.cache.get('key') }`,
    expected: `${failed} host_calls`,
  },
  hostCallsInFlight: {
    limits: { hostCallsInFlight: 3 },
    guest: `async (input, ctx) => { await Promise.all(Array.from({ length: 9 }, () => ctx.config.all())) }`,
    expected: 3,
    run: async (world, name) => {
      await world.call(name)
      return world.mostAtOnce()
    },
  },
  logLines: logging({ logLines: 2 }, ['a', 'b', 'c'], [1, 1]),
  logLineBytes: logging({ logLineBytes: 4 }, ['äää'], [4]),
  logCallBytes: logging({ logCallBytes: 5 }, ['aaa', 'bbb', 'c'], [3, 2]),
  // Today's lines of the other cases count, too: nothing is left of so small a day.
  logDayBytes: logging({ logDayBytes: 1 }, ['aa'], []),
  eventBytes: {
    limits: { eventBytes: 10 },
    guest: caught(`return await ctx.events.publish('acme.notes.done', 'x'.repeat(20))`),
    expected: 'invalid event_too_large',
  },
  eventsPerMinute: {
    limits: { eventsPerMinute: 1 },
    guest: caught(`for (;;) await ctx.events.publish('acme.notes.done', 1)`),
    expected: 'rate_limited event_rate',
  },
  toldBytes: {
    limits: { toldBytes: 10 },
    guest: caught(`return await ctx.events.tell('acme.notes.done', 'x'.repeat(20), { user: 7 })`),
    expected: 'invalid event_too_large',
  },
  toldPerMinute: {
    limits: { toldPerMinute: 1 },
    guest: caught(`for (;;) await ctx.events.tell('acme.notes.done', 1, { user: 7 })`),
    expected: 'rate_limited tell_rate',
  },
  eventHops: {
    limits: { eventHops: 2 },
    guest: caught(`return await ctx.events.publish('acme.notes.done', 1)`),
    expected: 'conflict event_loop',
    run: (world, name) => world.call(name, { hop: 2, tenant: 3 }),
  },
  storageQuotaMb: storing({ storageQuotaMb: 1_000 / megabyte }, `await ctx.storage.put('a', 'x'.repeat(2_000))`),
  storageObjectMb: storing({ storageObjectMb: 1_000 / megabyte }, `await ctx.storage.put('a', 'x'.repeat(2_000))`),
  storageObjects: storing({ storageObjects: 1 }, `for (const key of ['a', 'b']) await ctx.storage.put(key, 'x')`),
  storageKeyBytes: {
    limits: {},
    guest: caught(`return await ctx.storage.put('k'.repeat(513), 'x')`),
    expected: 'bad_request argument_invalid',
  },
}

function logging(limits: Partial<EffectiveLimits>, lines: readonly string[], expected: readonly number[]): LimitCase {
  return {
    limits,
    guest: `(input, ctx) => { for (const line of ${JSON.stringify(lines)}) ctx.log.info(line) }`,
    expected,
    run: async (world, name) => {
      await world.call(name)
      return world.logged()
    },
  }
}

function storing(limits: Partial<EffectiveLimits>, work: string): LimitCase {
  return { limits, guest: `async (input, ctx) => { ${work} }`, expected: '4297 plugin_storage_quota' }
}
