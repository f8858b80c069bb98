import type { Catalogue, CatalogueProvider } from '../../catalogue/types.ts'
import type { ProviderConnection } from '../../connection/provider-connection.ts'
import { ProviderProbe } from '../../provider-tests/tested-provider.ts'
import { asFault, endOf, type FaultClass } from '../../relay/fault.ts'
import type { RoutingTable } from '../../routing/routing-table.ts'
import type { Check } from './check-log.ts'

/** What providers are asked with. */
interface ActiveParts {
  readonly connection: ProviderConnection
  readonly table: RoutingTable
  readonly catalogue: () => Pick<Catalogue, 'gateway'>
}

/** A list of models takes no longer. */
const mostMs = 15_000

/** What a failure is called; what the provider said is not kept, since it may repeat what it was sent. */
const told: Readonly<Record<FaultClass, string>> = {
  connect: 'No connection',
  timeout: 'No answer in time',
  server: 'The provider failed',
  rate_limit: 'Too many requests',
  auth: 'The provider refuses the credentials',
  truncated: 'The answer broke off',
  bad_response: 'The answer cannot be read',
  bad_request: 'The provider refuses the request',
  context_length: 'The provider refuses the request',
  content_filter: 'The provider refuses the request',
  not_found: 'The provider lists no models',
}

/** Asks a provider for its models, which costs nothing, and tells routing what that says of the whole provider. */
export async function checkProvider(
  { connection, table, catalogue }: ActiveParts,
  provider: CatalogueProvider,
  signal: AbortSignal,
): Promise<Check> {
  const { id, tenantId, vendor, secrets, baseUrl, headers } = provider
  const check = { at: new Date(), tenantId, providerId: id, kind: 'models', level: 'models' } as const
  if (!secrets) return { ...check, ok: false, class: 'credentials', detail: 'No key of the platform opens the secrets' }
  const waits = { ...catalogue().gateway.timeouts, ...provider.timeouts }
  const timeouts = { ...waits, totalMs: Math.min(waits.totalMs, mostMs) }
  const probe = new ProviderProbe(connection, { vendor, baseUrl, headers, secrets, timeouts }, signal)
  const routed = table.beginCheck(id)
  const began = performance.now()
  const ms = (): number => Math.round(performance.now() - began)
  try {
    const models = await probe.models()
    routed.end('ok')
    return { ...check, ok: true, ms: ms(), detail: `${String(models.length)} models` }
  } catch (error) {
    const fault = asFault(error)
    routed.end(signal.aborted ? 'neutral' : endOf(fault))
    signal.throwIfAborted()
    // Not every vendor lists its models: whoever lets the request in is there.
    const ok = fault.class === 'not_found'
    return { ...check, ok, ms: ms(), status: fault.status, class: fault.class, detail: told[fault.class] }
  }
}
