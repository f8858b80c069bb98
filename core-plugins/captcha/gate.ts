import type { Challenges } from './challenges.ts'
import type { CaptchaDemand, CaptchaGate } from './contract.ts'
import { CaptchaInvalidError, CaptchaRequiredError } from './errors.ts'
import type { OfferedProviders } from './offered-providers.ts'
import type { CaptchaSettings } from './settings.ts'

/** Makes the gate that sign-in and registration pass. */
export function createGate(settings: CaptchaSettings, offered: OfferedProviders, challenges: Challenges): CaptchaGate {
  return {
    async pass(demand) {
      if (!(await settings.isDemanded(demand))) return
      const { tenantId, endpoint, action, answer } = demand
      // Forms send what they do not know as empty fields.
      const challengeId = answer?.challengeId || undefined
      if (challengeId === undefined) throw new CaptchaRequiredError({ details: await whatIsNeeded(demand) })
      const isGood = await challenges.redeem({
        ...{ tenantId, endpoint, action, challengeId },
        providerCode: answer?.providerCode || undefined,
        solution: answer?.solution || undefined,
      })
      if (!isGood) throw new CaptchaInvalidError({ details: await whatIsNeeded(demand) })
    },
  }

  /** What a page has to ask for, so that it need not guess. */
  async function whatIsNeeded({ tenantId, endpoint, action }: CaptchaDemand) {
    return { provider_code: (await offered.effective(tenantId)).code, action, endpoint }
  }
}
