import path from 'node:path'
import { defineError, definePlugin, errorForms } from '#kernel'
import type { AiLedger, AttemptRow } from '../../../../core-plugins/ai-ledger/contract.ts'
import { ProviderConnection } from '../../../../core-plugins/ai/connection/provider-connection.ts'
import { noMarkup } from '../../../../core-plugins/ai/markups/markup.ts'
import type { CalledModel, CalledProvider, Catalogue } from '../../../../core-plugins/ai/relay/ports.ts'
import { Relay } from '../../../../core-plugins/ai/relay/relay.ts'
import { RoutingTable } from '../../../../core-plugins/ai/routing/routing-table.ts'
import { setupSurfaces } from '../../../../core-plugins/ai/surfaces/setup.ts'
import type { SurfaceKeys } from '../../../../core-plugins/ai/surfaces/ports.ts'
import { vendorOf } from '../../../../core-plugins/ai/wire/vendors/vendor-of.ts'
import { runningKernel } from '../../../support/auth.ts'
import { startFakeUpstream, type Lane } from '../../../support/fake-upstream/start.ts'
import { startTestKernel } from '../../../support/kernel.ts'
import { gateway } from '../relay/world.ts'

const KeyUnknownError = defineError(4019, 'key_of_tests_unknown', 'There is no such key')

/** Models of this world; each is at the vendor of its name, the last at OpenAI's `/responses`. Behind `embed-` they make vectors. */
export const vendors = ['openai_compatible', 'anthropic', 'gemini', 'openai_responses'] as const

/** A kernel whose surfaces lead over the relay to a vendor in a process of its own; keys, ledger and catalogue are the test's. */
export async function surfaceWorld() {
  await using started = new AsyncDisposableStack()
  const upstream = started.use(await startFakeUpstream())
  const lane = upstream.lane('surfaces')
  const connection = started.use(
    new ProviderConnection({ egressAllowPrivate: new Set([`127.0.0.1:${String(upstream.port)}`]), dnsServers: [] }),
  )
  const settled: AttemptRow[] = []
  const settings = { breaker: { ...gateway.breaker, minRequests: 1_000, consecutive: 1_000 }, retry: gateway.retry }
  const table = new RoutingTable({ now: Date.now, random: Math.random, settings: () => settings })
  const chats = [...vendors, 'demo'].map((name) => modelOf(name))
  // Those that make vectors are called so.
  const models = [...chats, ...[...vendors, 'demo'].map((name) => embedderOf(name))]
  const catalogue: Catalogue = {
    gateway: { ...gateway, timeouts: { connectMs: 2_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 30_000 } },
    model: (name: string) => models.find((model) => model.name === name),
    provider: (id: string) => providerOf(id, lane),
    tenants: () => [0],
    markup: () => noMarkup,
    routes: () => [],
    modelsFor: () => [],
    route: () => undefined,
  }
  const ledger = ledgerOf(settled)
  const relay = new Relay({ catalogue, table, connection, ledger, isOpenTo: () => true, random: Math.random })
  const listed = models.map(({ name, kind }) => ({
    ...{ name, kind, aliases: [`${name}-alias`], displayName: `The ${name}` },
    createdAt: new Date('2026-01-02T03:04:05Z'),
  }))
  const plugin = definePlugin({
    ...{ name: 'surfaces', version: '1.0.0', title: { default: 'Surfaces' }, description: { default: 'Surfaces' } },
    provides: [errorForms],
    migrations: path.join(import.meta.dirname, '../../../../core-plugins/ai/migrations'),
    setup: (scope) => setupSurfaces(scope, { relay, keys, modelsFor: () => listed, hasAgents: () => true }),
  })
  const kernel = started.use(await startTestKernel({ plugins: [plugin] }))
  const stack = started.move()
  const db = runningKernel({ test: kernel }).database.knex
  return { url: kernel.url, db, lane, settled, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** `sk-all` opens everything, `sk-gemini`, `sk-chat` and `sk-alias` what their names say, `sk-list` the list of models. */
const keys: SurfaceKeys = {
  authenticate(key) {
    const base = {
      id: 'key_1',
      tenantId: 1,
      userId: 2,
      scopes: ['chat', 'embeddings', 'models'],
      models: [],
      agents: [],
    }
    if (key === 'sk-all') return Promise.resolve(base)
    if (key === 'sk-other') return Promise.resolve({ ...base, id: 'key_2' })
    if (key === 'sk-gemini') return Promise.resolve({ ...base, models: ['gem*'] })
    if (key === 'sk-chat') return Promise.resolve({ ...base, scopes: ['chat', 'models'] })
    if (key === 'sk-alias') return Promise.resolve({ ...base, models: ['demo-alias'] })
    if (key === 'sk-list') return Promise.resolve({ ...base, scopes: ['models'] })
    return Promise.reject(new KeyUnknownError())
  },
}

function modelOf(name: string): CalledModel {
  const isResponses = name === 'openai_responses'
  const providerId = isResponses ? 'openai_compatible' : name
  const capabilities = isResponses ? { responses: true, reasoning: true } : {}
  return {
    ...{ id: `mdl_${name}`, tenantId: 0, name, kind: 'chat', version: 1, providerId, upstreamModel: 'fake-large' },
    ...{ contextWindow: 100_000, maxOutputTokens: 8_000, defaultOutputTokens: 4_000, capabilities, params: {} },
    ...{ dropParams: [], prices: { input: 1_000_000, output: 2_000_000 } },
  }
}

function embedderOf(vendor: string): CalledModel {
  return { ...modelOf(vendor), id: `mdl_embed_${vendor}`, name: `embed-${vendor}`, kind: 'embedding' }
}

function providerOf(id: string, lane: Lane): CalledProvider | undefined {
  const vendor = vendorOf(id)
  if (!vendor) return undefined
  const baseUrl = id === 'gemini' ? lane.v1beta : lane.v1
  const rest = { headers: {}, secrets: { api_key: 'k' }, timeouts: {}, limits: {}, tenantId: 0 }
  return { id, code: id, vendor, baseUrl, ...rest }
}

function ledgerOf(settled: AttemptRow[]): Pick<AiLedger, 'reserve' | 'state'> {
  const none = { openHolds: 0, oldestHoldSeconds: 0, recoveredLastHour: 0, rollupLagSeconds: 0 }
  return {
    reserve: ({ requestId }) => {
      const end = (rows: readonly AttemptRow[]): void => void settled.push(...rows)
      return Promise.resolve({ hold: { requestId, remaining: {}, progress: () => undefined, end } })
    },
    state: () => Promise.resolve({ ...none, nearLimit: 0, exhausted: 0 }),
  }
}
