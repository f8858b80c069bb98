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
interface Captchas {
  readonly settings: CaptchaSettings
  readonly providers: CaptchaProviders
  readonly challenges: Challenges
  readonly gate: CaptchaGate
}

/** Builds captchas with the image as first provider, and lets configuration choose among all there are. */
export function createCaptchas(scope: Scope, needed: Needed<typeof needs>): Captchas {
  const { config, options, publicMembers, workflow, host } = needed
  const settings = new CaptchaSettings(config)
  const providers: ProviderTable = new ProviderTable(() => shown.changed(0))
  // What pages are told: a provider that is away is not the one they get.
  const shown = scope.use(
    publicMembers.register(async (tenantId) => {
      const { code, plugin } = await offered.effective(tenantId)
      return { captcha_provider: code, captcha_plugin: plugin ?? '' }
    }),
  )
  const image = createImageProvider(scope.secrets.derive('captcha.image-answer'))
  const offered = new OfferedProviders(providers, settings, host, image)
  scope.use(providers.register(image))
  const challenges = new Challenges({ store: new ChallengeStore(scope.cache), offered, settings })
  scope.use(options.register('captcha_provider', (tenantId) => listOptions(offered, tenantId)))
  scope.use(workflow.register(checkChoice(offered)))
  return { settings, providers, challenges, gate: createGate(settings, offered, challenges) }
}
