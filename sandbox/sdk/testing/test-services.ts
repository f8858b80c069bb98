import { MemoryRateLimiter, type Logger } from '#kernel'
import type { CapabilityServices } from '../../broker/providers.ts'
import type { SandboxServices } from '../../services.ts'
import type { TestOptions } from './contract.ts'

/** The surroundings of a plugin under test: real where they need no server, recorded where they lead outside. */
export function createTestServices(
  fakes: CapabilityServices,
  { limits = {}, license = { state: 'none', features: [], expiresAt: null } }: TestOptions,
  log: Logger,
): SandboxServices {
  return {
    ...fakes,
    gate: () => ({ open: true }),
    limiter: new MemoryRateLimiter(),
    log,
    limits: () => limits,
    onQuarantine: () => undefined,
    license: () => license,
  }
}
