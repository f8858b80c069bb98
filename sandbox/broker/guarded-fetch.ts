import { createGuardedFetch as createKernelFetch, type GuardedFetch, type GuardedFetchOptions } from '#kernel'
import { sandboxLimits } from '../limits.ts'

/** Makes the client that guests' requests go through: the kernel's, with the limits of guests. */
export function createGuardedFetch(options: Omit<GuardedFetchOptions, 'limits'>): GuardedFetch {
  const limits = {
    connectMs: sandboxLimits.httpConnectMs.default,
    timeoutMs: sandboxLimits.httpTimeoutMs.default,
    responseBytes: sandboxLimits.httpResponseBytes.default,
    responseHeaderBytes: sandboxLimits.httpResponseHeaderBytes.default,
    decodeRatio: sandboxLimits.httpDecodeRatio.default,
  }
  return createKernelFetch({ ...options, limits })
}
