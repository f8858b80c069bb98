import { createGuardedFetch as createKernelFetch, type GuardedFetch, type GuardedFetchOptions } from '#kernel'
import { LIMITS } from '../limits.ts'

/** Makes the client that guests' requests go through: the kernel's, with the limits of guests. */
export function createGuardedFetch(options: Omit<GuardedFetchOptions, 'limits'>): GuardedFetch {
  const limits = {
    connectMs: LIMITS.httpConnectMs.default,
    timeoutMs: LIMITS.httpTimeoutMs.default,
    responseBytes: LIMITS.httpResponseBytes.default,
    responseHeaderBytes: LIMITS.httpResponseHeaderBytes.default,
    decodeRatio: LIMITS.httpDecodeRatio.default,
  }
  return createKernelFetch({ ...options, limits })
}
