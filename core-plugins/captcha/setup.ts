import type { Needed, Scope } from '#kernel'
import { captchaGate, captchaProviders } from './contract.ts'
import type { needs } from './needs.ts'
import { captchaRoutes } from './routes.ts'
import { createCaptchas } from './service.ts'

/** Provides the gate, and whom it may ask. */
export function setupCaptcha(scope: Scope, needed: Needed<typeof needs>): void {
  const { settings, providers, challenges, gate } = createCaptchas(scope, needed)
  scope.provide(captchaProviders, providers)
  scope.provide(captchaGate, gate)
  scope.route(...captchaRoutes(challenges, settings, needed.tenants))
}
