import type { Scope } from '#kernel'
import type { AiLedger } from '../../ai-ledger/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { AiInvokers } from '../../plugins/contract.ts'
import type { PluginGuardrails, PluginRouters } from '../../plugin-offers/contract.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { aiGateway } from '../contract.ts'
import { Guards } from '../guard/guards.ts'
import type { Catalogue } from '../catalogue/types.ts'
import { AnswerCache } from '../relay/answer-cache.ts'
import { Relay } from '../relay/relay.ts'
import { RoutingTable } from '../routing/routing-table.ts'
import { SharedRouting } from '../routing/shared-routing.ts'
import { Gateway } from './gateway.ts'
import { answerPlugin } from './plugin-invoker.ts'

/** What calls of models stand on. */
interface GatewayParts {
  /** As it stands at the moment. */
  readonly catalogue: () => Catalogue
  readonly connection: ProviderConnection
  readonly ledger: AiLedger
  readonly config: ConfigReader
  readonly invokers: AiInvokers
  readonly pluginGuardrails: PluginGuardrails
  readonly pluginRouters: PluginRouters
}

const beatMs = 1_000
const recallMs = 5_000

/** Builds what calls models, for the platform and for its plugins. */
export function setupGateway(scope: Scope, parts: GatewayParts) {
  const { catalogue, connection, ledger, config, invokers, pluginGuardrails, pluginRouters: routers } = parts
  const shared = new SharedRouting(scope.bus, scope.cache.withPrefix('routing:'))
  const settings = () => catalogue().gateway
  const table = new RoutingTable({ now: Date.now, random: Math.random, settings, news: shared })
  scope.use(shared.join(table))
  const isOpenTo = (tenantId: number) => tenantId === 0 || config.get<boolean>('ai_access', tenantId, true)
  const keepsWords = (tenantId: number) =>
    catalogue().gateway.payloads !== 'none' &&
    (tenantId === 0 || config.get<boolean>('ai_keep_payloads', tenantId, false))
  const relay = new Relay({
    get catalogue() {
      return catalogue()
    },
    ...{ table, connection, ledger, isOpenTo, random: Math.random, routers, keepsWords },
    guards: new Guards(pluginGuardrails, () => catalogue().gateway.guardrails),
    cache: new AnswerCache(scope.cache.withPrefix('answers:'), scope.secrets, scope.env.appSecret),
  })
  scope.every(beatMs, () => relay.beat())
  // What other hosts learnt of targets before this one knew them.
  scope.every(recallMs, () => shared.recall(table, keysOf(catalogue())))
  const modelsFor = (tenantId: number) => catalogue().modelsFor(tenantId)
  scope.provide(
    aiGateway,
    new Gateway(relay, { modelsFor, find: (model, tenantId) => catalogue().model(model, tenantId, 1) }),
  )
  scope.register(() => invokers.register((invocation) => answerPlugin(invocation, { relay, modelsFor })))
  return { relay, table }
}

/** Providers and targets that this host may call. */
function keysOf(catalogue: Catalogue): Set<string> {
  const keys = new Set<string>()
  const tenants = new Set([0, ...catalogue.tenants(), ...catalogue.routes().map(({ tenantId }) => tenantId)])
  for (const tenantId of tenants) {
    for (const { id } of catalogue.modelsFor(tenantId)) {
      const model = catalogue.model(id, tenantId, 1)
      if (model) keys.add(model.providerId).add(`${model.providerId}/${model.upstreamModel}`)
    }
  }
  return keys
}
