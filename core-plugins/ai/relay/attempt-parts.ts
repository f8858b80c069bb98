import type { ProviderConnection } from '../connection/provider-connection.ts'
import type { ProviderCall } from '../connection/call.ts'
import type { NeutralRequest } from '../wire/neutral.ts'
import type { AskedVendor, ReadOptions, VendorCall } from '../wire/vendor.ts'
import type { CalledModel, CalledProvider, Timeouts } from './ports.ts'

/** What one attempt is made of. */
export interface AttemptParts {
  readonly connection: ProviderConnection
  readonly provider: CalledProvider
  readonly model: CalledModel
  readonly request: NeutralRequest
  /** Told to the provider, and held for. */
  readonly maxOutputTokens: number
  /** Those of the gateway and the provider; the total is what is left of the whole call. */
  readonly timeouts: Timeouts
  /** The wire of the client: the events of a provider of the same one come along. */
  readonly wire: string | undefined
  /** Whose words they are; 0 is the platform. */
  readonly tenantId: number
  readonly traceId: string
  /** Told what plugins took, in milliseconds of CPU. */
  readonly spent: (cpuMs: number) => void
}

/** An attempt of either kind, as a run ends it. */
export interface Attempt {
  readonly dropped: readonly string[]
  readonly hasSent: boolean
  stop(): void
}

/** The request of an attempt as its vendor wants it; throws CannotCarryError. */
export function vendorCallOf({ provider, model, request, maxOutputTokens }: AttemptParts): VendorCall {
  const { upstreamModel, capabilities } = model
  return provider.vendor.chat(request, {
    ...{ upstreamModel, secrets: provider.secrets ?? {}, maxOutputTokens, capabilities },
  })
}

/** A call of a vendor that is asked for its words, ready to be sent; throws CannotCarryError and an UpstreamFaultError. */
export async function readyToAsk(
  parts: AttemptParts,
  vendor: AskedVendor,
  signal: AbortSignal,
  timeouts = parts.timeouts,
) {
  const { connection, provider, model, request, maxOutputTokens, tenantId, traceId, spent } = parts
  const options = { secrets: provider.secrets ?? {}, tenantId, traceId, signal, spent }
  const { upstreamModel } = model
  const told = await vendor.chat(request, { ...options, upstreamModel, maxOutputTokens })
  const reader = vendor.reader({ ...options, upstreamModel })
  const call = providerCallOf(told, provider, timeouts)
  return { dropped: told.dropped, asked: { connection, vendor, call, reader, options } }
}

/** A vendor's call as it is sent; what the provider's settings say of headers stands over the vendor's. */
export function providerCallOf(call: VendorCall, provider: CalledProvider, timeouts: Timeouts): ProviderCall {
  const url = new URL(provider.baseUrl.replace(/\/+$/, '') + call.path)
  return { url, method: call.method, headers: { ...call.headers, ...provider.headers }, body: call.body, timeouts }
}

/** How the answer to a call is read: the provider's own events come along where the client speaks the same wire. */
export function readOptionsOf({ provider, wire }: AttemptParts, call: VendorCall): ReadOptions {
  return { wire: call.wire, frames: wire !== undefined && (call.wire ?? provider.vendor.wire) === wire }
}
