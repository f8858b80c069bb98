import type { Needed, Scope } from '#kernel'
import { ChallengeStore } from './challenge-store.ts'
import { Challenges } from './challenges.ts'
import { checkChoice, listOptions } from './choice-of-provider.ts'
import type { CaptchaGate, CaptchaProviders } from './contract.ts'
import { createGate } from './gate.ts'
import { createImageProvider } from './image/image-provider.ts'
import type { needs } from './needs.ts'
import { OfferedProviders } from './offered-providers.ts'
import { ProviderTable } from './provider-table.ts'
import { CaptchaSettings } from './settings.ts'

/** The parts of captchas that routes and other plugins use. */
export interface Captchas {
  readonly settings: CaptchaSettings
  readonly providers: CaptchaProviders
  readonly challenges: Challenges
  readonly gate: CaptchaGate
}

/** Builds captchas with the image as first provider, and lets configuration choose among all there are. */
export function createCaptchas(scope: Scope, { config, options, workflow, host }: Needed<typeof needs>): Captchas {
  const settings = new CaptchaSettings(config)
  const providers = new ProviderTable()
  const image = createImageProvider(scope.secrets.derive('captcha.image-answer'))
  scope.use(providers.register(image))
  const offered = new OfferedProviders(providers, settings, host, image)
  const challenges = new Challenges({ store: new ChallengeStore(scope.cache), offered, settings })
  scope.use(options.register('captcha_provider', (tenantId) => listOptions(offered, tenantId)))
  scope.use(workflow.register(checkChoice(offered)))
  return { settings, providers, challenges, gate: createGate(settings, offered, challenges) }
}
