import { deepEqual, equal } from 'node:assert/strict'
import type { Logger } from '#kernel'
import { createMemoryCache } from '../../kernel/data/memory-cache.ts'
import { MemoryRateLimiter } from '../../kernel/data/memory-rate-limiter.ts'
import { createCacheCapability } from '../../sandbox/broker/cache.ts'
import { createConfigCapability } from '../../sandbox/broker/config.ts'
import { createEventsCapability, type PublishedEvent } from '../../sandbox/broker/events.ts'
import { KnownSecrets } from '../../sandbox/broker/known-secrets.ts'
import { effectiveLimits } from '../../sandbox/effective-limits.ts'
import type { PluginManifest } from '../../sandbox/manifest/plugin-manifest.ts'
import { pluginHash8 } from '../../sandbox/manifest/names.ts'
import { GuestLog } from '../../sandbox/supervisor/guest-log.ts'
import { Meter } from '../../sandbox/metering/meter.ts'
import { GuestCalls, grantsOf, type TestCall } from './capabilities-call.ts'

const manifest = {
  name: 'acme.notes',
  events: { publish: ['acme.notes.added', 'acme.notes.gone', 'acme.notes-other.added', 'kernel.tenant.created'] },
  config: [
    { key: 'greeting', type: 'STRING', scope: 'tenant' },
    { key: 'api_key', type: 'PASSWORD', scope: 'platform' },
  ],
} as unknown as PluginManifest

const usage = new Meter().open('acme.notes', 1, { kind: 'handler', name: 'test' })

describe('the cache of a guest', () => {
  const cache = createMemoryCache()
  const as = (tenantId: number): GuestCalls => new GuestCalls(createCacheCapability(cache, 'acme.notes'), { tenantId })

  it('is apart for each tenant and lies below the plugin’s prefix', async () => {
    await as(1).ask('cache.set', { key: 'a', value: { n: 1 }, ttlSeconds: 60 })
    deepEqual(
      [await as(1).ask('cache.get', { key: 'a' }), await as(2).ask('cache.get', { key: 'a' })],
      [{ n: 1 }, null],
    )
    deepEqual(await cache.get(`plg:${pluginHash8('acme.notes')}:1:a`), { n: 1 })
    await as(1).ask('cache.delete', { key: 'a' })
    equal(await as(1).ask('cache.get', { key: 'a' }), null)
  })

  it('ends at its limits', async () => {
    const set = (parts: object): Promise<unknown> => as(1).ask('cache.set', { key: 'a', value: 1, ...parts })
    deepEqual(
      await Promise.all([
        set({ key: '' }),
        set({ key: 'ä'.repeat(101) }),
        set({ key: 1 }),
        set({ ttlSeconds: 86_401 }),
        set({ ttlSeconds: 0 }),
        set({ value: 'x'.repeat(65_536) }),
        set({ value: 'ä'.repeat(40_000) }),
      ]),
      [...Array<string>(5).fill('bad_request argument_invalid'), ...Array<string>(2).fill('invalid value_too_large')],
    )
  })
})

describe('the events of a guest', () => {
  const events: PublishedEvent[] = []
  const calls = (call?: TestCall): GuestCalls => {
    const grants = grantsOf({ publish: ['acme.notes.added', 'acme.notes-other.added', 'kernel.tenant.created'] })
    const publish = (event: PublishedEvent): Promise<void> => Promise.resolve(void events.push(event))
    return new GuestCalls(createEventsCapability({ manifest, grants, limiter: new MemoryRateLimiter(), publish }), call)
  }
  beforeEach(() => void (events.length = 0))

  it('go out under names that were declared and granted, in its own namespace', async () => {
    const guest = calls({ tenantId: 3, hop: 2 })
    equal(await guest.ask('events.publish', { type: 'acme.notes.added', payload: { n: 1 } }), null)
    deepEqual(events, [
      { plugin: 'acme.notes', type: 'acme.notes.added', tenantId: 3, payload: { n: 1 }, hop: 3, traceId: 'trace' },
    ])
    const others = [
      'acme.notes.gone',
      'acme.notes-other.added',
      'kernel.tenant.created',
      'acme.notes',
      'acme.notes.*',
      '',
    ]
    const answers = await Promise.all(others.map((type) => guest.ask('events.publish', { type })))
    deepEqual(answers, Array(others.length).fill('forbidden event_not_granted'))
  })

  it('reach one user of the calling tenant alone, as far as sizes and rates go', async () => {
    const tell = (guest: GuestCalls, to: unknown, payload: unknown = 1): Promise<unknown> =>
      guest.ask('events.tell', { type: 'acme.notes.added', payload, to })
    equal(await tell(calls({ tenantId: 3, hop: 2 }), { user: 7 }), null)
    deepEqual(events, [
      { plugin: 'acme.notes', type: 'acme.notes.added', tenantId: 3, payload: 1, userId: 7, hop: 2, traceId: 'trace' },
    ])
    const few = calls({ limits: { toldPerMinute: 1 } })
    deepEqual(
      [
        await calls().ask('events.tell', { type: 'acme.notes.gone', payload: 1, to: { user: 7 } }),
        await tell(calls(), { user: 7 }, 'x'.repeat(8_192)),
        await tell(calls(), undefined),
        await tell(calls(), { user: '7' }),
        await tell(calls(), { user: 7.5 }),
        await tell(few, { user: 7 }),
        await tell(few, { user: 7 }),
      ],
      [
        'forbidden event_not_granted',
        'invalid event_too_large',
        ...Array<string>(3).fill('bad_request argument_invalid'),
        null,
        'rate_limited tell_rate',
      ],
    )
  })

  it('end at their limits', async () => {
    const publish = (guest: GuestCalls, payload: unknown = 1): Promise<unknown> =>
      guest.ask('events.publish', { type: 'acme.notes.added', payload })
    const few = calls({ limits: { eventsPerMinute: 1 } })
    deepEqual(
      [
        await publish(calls(), 'x'.repeat(32_768)),
        await publish(calls({ hop: 8 })),
        await publish(calls({ hop: 7 })),
        await publish(few),
        await publish(few),
      ],
      ['invalid event_too_large', 'conflict event_loop', null, null, 'rate_limited event_rate'],
    )
  })
})

describe('the configuration and the log of a guest', () => {
  const lines: string[] = []
  const write =
    (level: string) =>
    (fields: object): void =>
      void lines.push(`${level}: ${(fields as { message: string }).message}`)
  const log: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  }
  const values = { greeting: 'Hi', api_key: 'sk-"secret"' }
  beforeEach(() => void (lines.length = 0))

  it('has values by their short keys and no others', async () => {
    const capability = createConfigCapability(() => Promise.resolve(values), manifest, new KnownSecrets())
    const guest = new GuestCalls(capability)
    deepEqual(
      [
        await guest.ask('config.get', { key: 'greeting' }),
        await guest.ask('config.all'),
        await guest.ask('config.get', { key: 'constructor' }),
        await guest.ask('config.get', { key: 1 }),
      ],
      ['Hi', values, 'invalid config_key_unknown', 'bad_request argument_invalid'],
    )
  })

  it('never writes a secret that it was shown', async () => {
    const secrets = new KnownSecrets()
    const guest = new GuestCalls(createConfigCapability(() => Promise.resolve(values), manifest, secrets))
    await guest.ask('config.get', { key: 'greeting' })
    const call = { plugin: 'acme.notes', tenantId: 1, limits: effectiveLimits(), traceId: 't', usage }
    new GuestLog(log, secrets).forCall(call)([
      { level: 'info', message: 'key sk-"secret" used', data: { key: 'sk-"secret"' } },
      { level: 'warn', message: 'Hi' },
    ])
    deepEqual(lines, ['info: key ******** used {"key":"********"}', 'warn: Hi'])
  })

  it('never writes the end of a secret that begins like another, nor one that another tenant was shown', () => {
    const secrets = new KnownSecrets()
    secrets.remember('acme.notes', 1, ['abcd', 'abcd-efgh'])
    secrets.remember('acme.notes', 2, ['ijkl'])
    secrets.remember('acme.other', 1, ['mnop'])
    const mask = (tenantId: number, text: string) => secrets.mask('acme.notes', tenantId, text)
    deepEqual(
      [mask(1, 'abcd-efgh abcd ijkl mnop'), mask(2, 'abcd ijkl')],
      ['******** ******** ijkl mnop', 'abcd ********'],
    )
    secrets.forget('acme.notes')
    deepEqual([mask(1, 'abcd'), secrets.mask('acme.other', 1, 'mnop')], ['abcd', '********'])
  })

  it('writes as many lines and bytes as allowed, by call and by day', () => {
    let now = 0
    const guestLog = new GuestLog(log, new KnownSecrets(), () => now)
    const start = (limits: object) =>
      guestLog.forCall({ plugin: 'acme.notes', tenantId: 1, limits: effectiveLimits(limits), traceId: 't', usage })
    const line = (message: string): { level: 'info'; message: string } => ({ level: 'info', message })
    const written = (limits: object, ...messages: readonly string[]): readonly number[] => {
      lines.length = 0
      start(limits)(messages.map(line))
      return lines.map((text) => Buffer.byteLength(text) - 'info: '.length)
    }
    deepEqual(
      [
        written({ logLines: 2 }, 'a', 'b', 'c'),
        written({ logLineBytes: 5 }, 'ääää'),
        written({ logCallBytes: 8 }, 'aaaaa', 'bbbbb', 'c'),
        written({ logDayBytes: 17 }, 'aaa'),
        written({ logDayBytes: 17 }, 'a'),
      ],
      [[1, 1], [4], [5, 3], [3], []],
    )
    now = 86_400_000
    deepEqual(written({ logDayBytes: 17 }, 'a'), [1])
  })
})
