import { CaptchaPatience } from './captcha-patience.ts'
import type { CaptchaProvider } from './contract.ts'
import { checkMade, checkVerdict } from './provider-answers.ts'

/**
 * A plugin's provider that is not offered for a while to a tenant at which it fails again and again, so that a bad plugin locks
 * nobody out: an answer of a wrong form is a failure like any other.
 */
export function withPatience(provider: CaptchaProvider): CaptchaProvider {
  // Apart, or challenges that come would make up for answers that are never judged.
  const making = new CaptchaPatience()
  const judging = new CaptchaPatience()
  return {
    ...provider,
    async isOffered(tenantId) {
      return !making.isOver(tenantId) && !judging.isOver(tenantId) && provider.isOffered(tenantId)
    },
    challenge: (request) => making.watch(request.tenantId, async () => checkMade(await provider.challenge(request))),
    verify: (request) => judging.watch(request.tenantId, async () => checkVerdict(await provider.verify(request))),
  }
}
