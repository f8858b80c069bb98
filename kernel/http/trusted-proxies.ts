import { defineService } from '../service.ts'

/** Which peers may speak for a client through X-Forwarded-For and X-Forwarded-Host. */
export interface TrustedProxies {
  isTrusted(address: string): boolean
}

/** Provided by whoever keeps the list; while nobody does, no peer is trusted. */
export const trustedProxies = defineService<TrustedProxies>('kernel.trusted_proxies')
