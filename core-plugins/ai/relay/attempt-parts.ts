import type { ProviderConnection } from '../connection/provider-connection.ts'
import type { ProviderCall } from '../connection/call.ts'
import type { NeutralRequest } from '../wire/neutral.ts'
import type { ReadOptions, VendorCall } from '../wire/vendor.ts'
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
}

/** The request of an attempt as its vendor wants it; throws CannotCarryError. */
export function vendorCallOf({ provider, model, request, maxOutputTokens }: AttemptParts): VendorCall {
  const { upstreamModel, capabilities } = model
  return provider.vendor.chat(request, {
    ...{ upstreamModel, secrets: provider.secrets ?? {}, maxOutputTokens, capabilities },
  })
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
