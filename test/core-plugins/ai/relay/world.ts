import { randomUUID } from 'node:crypto'
import { createMemoryCache, createSecretBox, generateFernetKey } from '#kernel'
import type { AiLedger, AttemptRow, HoldWish, Refusal } from '../../../../core-plugins/ai-ledger/contract.ts'
import { ProviderConnection } from '../../../../core-plugins/ai/connection/provider-connection.ts'
import type { AiEvent } from '../../../../core-plugins/ai/contract.ts'
import type { Guards } from '../../../../core-plugins/ai/guard/guards.ts'
import type { RelayCall, RelayRun } from '../../../../core-plugins/ai/relay/call.ts'
import type { CallRecord } from '../../../../core-plugins/ai/relay/call-record.ts'
import type {
  CalledModel,
  CalledProvider,
  Catalogue,
  GatewaySettings,
  Route,
} from '../../../../core-plugins/ai/relay/ports.ts'
import { noMarkup } from '../../../../core-plugins/ai/markups/markup.ts'
import { AnswerCache } from '../../../../core-plugins/ai/relay/answer-cache.ts'
import { Relay } from '../../../../core-plugins/ai/relay/relay.ts'
import { RoutingTable } from '../../../../core-plugins/ai/routing/routing-table.ts'
import { usualRouting } from '../../../../core-plugins/ai/routing/settings.ts'
import { vendorOf } from '../../../../core-plugins/ai/wire/vendors/vendor-of.ts'
import type { AppError } from '../../../../kernel/errors.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../../support/fake-upstream/start.ts'

/** The gateway of tests: nothing is waited for longer than a test may take. */
export const gateway: GatewaySettings = {
  enabled: true,
  defaultStrategy: 'priority',
  retry: {
    ...{ maxAttempts: 3, backoffMs: [1, 5], budgetRatio: 0.2, budgetMinPerS: 100 },
    on: ['timeout', 'connect', '5xx', '429', 'truncated_before_first_token'],
  },
  breaker: usualRouting.breaker,
  timeouts: { connectMs: 1_000, firstTokenMs: 400, idleMs: 400, totalMs: 20_000 },
  stream: { failoverBeforeFirstToken: true, earlyCommitAfterMs: 10_000, heartbeatS: 15, drainMs: 0 },
  guardrails: [],
}

/** What a test says of the world. */
interface WorldOptions {
  readonly gateway?: Partial<GatewaySettings>
  readonly route?: Partial<Route>
  readonly model?: Partial<CalledModel>
  /** Of models by their names, over `model`. */
  readonly models?: Readonly<Record<string, Partial<CalledModel>>>
  /** Of the second provider. */
  readonly timeouts?: CalledProvider['timeouts']
  /** Answers a wish with what stands in its way. */
  readonly refuse?: (wish: HoldWish) => Refusal | undefined
  readonly guards?: Pick<Guards, 'of'>
}

/** A relay with two targets, `first` and `second`, at a vendor in a process of its own; ledger and catalogue are the test's. */
export async function relayWorld() {
  const upstream = await startFakeUpstream()
  let made = 0
  return {
    upstream,
    /** A relay of its own, whose lanes nobody used before. */
    world: (options: WorldOptions = {}) => createWorld(upstream, `w${String(++made)}`, options),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  }
}

function createWorld(upstream: FakeUpstream, name: string, options: WorldOptions) {
  const settings = { ...gateway, ...options.gateway }
  const lanes = {
    first: upstream.lane(`${name}a`),
    second: upstream.lane(`${name}b`),
    third: upstream.lane(`${name}c`),
  }
  const ledger = new RecordingLedger(options.refuse)
  const connection = new ProviderConnection({
    egressAllowPrivate: new Set([`127.0.0.1:${String(upstream.port)}`]),
    dnsServers: [],
  })
  const table = new RoutingTable({
    now: Date.now,
    random: Math.random,
    settings: () => ({ breaker: settings.breaker, retry: settings.retry }),
  })
  const models = ['first', 'second', 'third'].map((each) =>
    modelOf(each, { ...options.model, ...options.models?.[each] }),
  )
  const catalogue: Catalogue = {
    gateway: settings,
    model: (wanted) => models.find(({ id, name }) => [id, name].includes(wanted.split('@')[0] ?? '')),
    provider: (id) => ({
      ...providerOf(id, lanes[id.slice(2) as keyof typeof lanes]),
      ...(id === 'p-second' && options.timeouts && { timeouts: options.timeouts }),
    }),
    routes: () => [routeOf(options.route)],
    tenants: () => [0],
    markup: () => noMarkup,
    modelsFor: () => models.map((model) => ({ ...model, displayName: model.name })),
    route: ({ model }) => (model.id === 'mdl_third' ? undefined : routeOf(options.route)),
  }
  const records: CallRecord[] = []
  const box = createSecretBox({ fernetKeys: [generateFernetKey()], appSecret: '' })
  const cache = new AnswerCache(createMemoryCache(), box, 'secret')
  const relay = new Relay({
    ...{ catalogue, table, connection, ledger, isOpenTo: () => true, random: Math.random, cache },
    ...(options.guards && { guards: options.guards }),
  })
  relay.observe((record) => records.push(record))
  return {
    ...lanes,
    relay,
    catalogue,
    table,
    ledger,
    records,
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

/** A model that costs a micro-unit a token in and two out. */
function modelOf(name: string, more: Partial<CalledModel> = {}): CalledModel {
  return {
    ...{ id: `mdl_${name}`, tenantId: 0, name, kind: 'chat', version: 1, providerId: `p-${name}` },
    upstreamModel: `up-${name}`,
    ...{ contextWindow: 100_000, maxOutputTokens: 1_000, defaultOutputTokens: 100, capabilities: {}, params: {} },
    ...{ dropParams: [], prices: { input: 1_000_000, output: 2_000_000 } },
    ...more,
  }
}

function providerOf(id: string, lane: Lane): CalledProvider {
  const vendor = vendorOf('openai_compatible')
  if (!vendor) throw new Error('there is no such vendor')
  return {
    id,
    tenantId: 0,
    code: id,
    vendor,
    baseUrl: lane.v1,
    headers: {},
    secrets: { api_key: 'k' },
    timeouts: {},
    limits: {},
  }
}

function routeOf(more: Partial<Route> = {}): Route {
  const target = { weight: 1, tier: 0 }
  const targets = [
    { ...target, id: 't1', model: 'first' },
    { ...target, id: 't2', model: 'second', tier: 1 },
  ]
  return { id: 'rt_1', tenantId: 0, name: 'default', strategy: 'priority', targets, fallbacks: [], ...more }
}

/** Lets everything in that a test does not refuse, and keeps what it is told. */
class RecordingLedger implements Pick<AiLedger, 'reserve' | 'state'> {
  readonly wishes: HoldWish[] = []
  readonly settled: (readonly AttemptRow[])[] = []
  open = 0
  readonly #refuse: WorldOptions['refuse']

  constructor(refuse: WorldOptions['refuse']) {
    this.#refuse = refuse
  }

  get rows(): readonly AttemptRow[] {
    return this.settled.flat()
  }

  reserve(wish: HoldWish): ReturnType<AiLedger['reserve']> {
    this.wishes.push(wish)
    const refused = this.#refuse?.(wish)
    if (refused) return Promise.resolve({ refused })
    this.open++
    return Promise.resolve({
      hold: {
        requestId: wish.requestId,
        remaining: {},
        progress: () => undefined,
        end: (rows: readonly AttemptRow[]) => {
          this.open--
          this.settled.push(rows)
        },
      },
    })
  }

  state(): ReturnType<AiLedger['state']> {
    const none = { openHolds: this.open, oldestHoldSeconds: 0, recoveredLastHour: 0, rollupLagSeconds: 0 }
    return Promise.resolve({ ...none, nearLimit: 0, exhausted: 0 })
  }
}

/** A call that says hello. */
export function callOf(more: Partial<RelayCall> & { readonly body?: Partial<RelayCall['request']> } = {}): RelayCall {
  const { body, ...rest } = more
  return {
    ...{ spender: { tenantId: 1, userId: 2 }, purpose: 'chat', signal: new AbortController().signal },
    traceId: randomUUID(),
    request: {
      ...{
        model: 'first',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'one two three four five six' }] }],
      },
      ...{ stream: true, includeUsage: true, extra: {} },
      ...body,
    },
    ...rest,
  }
}

/** What came of a stream. */
export interface Heard {
  readonly events: AiEvent[]
  readonly text: string
  readonly error: AppError | undefined
  readonly waits: number
}

/** Reads a stream to its end. */
export function hear({ stream }: RelayRun): Promise<Heard> {
  return new Promise((resolve) => {
    const events: AiEvent[] = []
    let waits = 0
    const end = (error?: AppError): void => {
      const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
      resolve({ events, text, error, waits })
    }
    stream?.flow({
      events: (more) => events.push(...more) > 0,
      waiting: () => void waits++,
      end: () => end(),
      fail: end,
    })
  })
}
