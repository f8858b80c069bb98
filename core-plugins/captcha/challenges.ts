import { askProvider } from './ask-provider.ts'
import type { ChallengeStore, KeptChallenge } from './challenge-store.ts'
import type { CaptchaBinding, CaptchaDifficulty, CaptchaProvider } from './contract.ts'
import { harderOf, isAtLeast } from './difficulty.ts'
import type { OfferedProviders } from './offered-providers.ts'
import { checkMade, checkVerdict, type Verdict } from './provider-answers.ts'
import type { CaptchaSettings } from './settings.ts'

/** What challenges stand on. */
interface ChallengeParts {
  readonly store: ChallengeStore
  readonly offered: OfferedProviders
  readonly settings: CaptchaSettings
}

/** A wish for a challenge. */
interface ChallengeWish extends CaptchaBinding {
  /** The configured one unless another is named. */
  readonly providerCode?: string | undefined
  /** Counts where it is harder than the configured one. */
  readonly difficulty?: CaptchaDifficulty | undefined
}

/** A challenge for the caller to solve. */
export interface IssuedChallenge {
  readonly id: string
  readonly provider: CaptchaProvider
  readonly challenge: unknown
  readonly expiresAt: Date
  readonly seconds: number
}

/** An answer to a challenge, and what it is to be used for. */
interface Attempt extends CaptchaBinding {
  readonly challengeId: string
  readonly solution: string
  readonly providerCode?: string | undefined
}

/** A challenge that is to be used up: verified before, or with its solution. */
interface Redemption extends CaptchaBinding {
  readonly challengeId: string
  readonly solution?: string | undefined
  readonly providerCode?: string | undefined
}

// As long as a page needs from the answered captcha to the sign-in.
const verifiedSeconds = 120

/** Makes challenges and judges answers. */
export class Challenges {
  readonly #parts: ChallengeParts

  constructor(parts: ChallengeParts) {
    this.#parts = parts
  }

  /** Throws 422/4220 or 403/4039 for a provider that is not there, 502/5026 when it fails, 503/5033 when too much is being drawn. */
  async issue({ providerCode, difficulty: wished, ...binding }: ChallengeWish): Promise<IssuedChallenge> {
    const { store, offered, settings } = this.#parts
    const { tenantId } = binding
    // A challenge that cannot be kept cannot be solved: better told now.
    await store.ping()
    const [provider, configured, seconds] = await Promise.all([
      providerCode === undefined ? offered.effective(tenantId) : offered.get(providerCode, tenantId),
      settings.difficulty(tenantId),
      settings.lifetime(),
    ])
    const difficulty = harderOf(wished ?? configured, configured)
    const { challenge, secret } = await askProvider(provider, async () =>
      checkMade(await provider.challenge({ ...binding, difficulty })),
    )
    const expiresAt = Date.now() + seconds * 1000
    const id = await store.keep({ ...binding, provider: provider.code, difficulty, secret, expiresAt })
    return { id, provider, challenge, expiresAt: new Date(expiresAt), seconds }
  }

  /** Judges an answer; a good one may be used for what it is bound to within two minutes, by the challenge's id alone. */
  async verify(attempt: Attempt): Promise<Verdict> {
    const { verdict, kept } = await this.#judge(attempt)
    if (kept) await this.#parts.store.keepVerified(attempt.challengeId, kept, verifiedSeconds)
    return verdict
  }

  /** Whether the challenge was verified before, or the solution is right; either way it is used up. */
  async redeem({ challengeId, solution, ...use }: Redemption): Promise<boolean> {
    const verified = await this.#parts.store.takeVerified(challengeId)
    if (verified) return (await this.#providerOf(verified, use)) !== undefined
    if (solution === undefined) return false
    return (await this.#judge({ ...use, challengeId, solution })).verdict.valid
  }

  /** The verdict, and with a good one the challenge, which is taken out for good. */
  async #judge(attempt: Attempt): Promise<{ verdict: Verdict; kept?: KeptChallenge }> {
    const { store, offered } = this.#parts
    const { challengeId, solution } = attempt
    const kept = await store.take(challengeId)
    if (!kept) {
      // While the cache is away nobody's answer is found: that is no wrong answer.
      await store.ping()
      return { verdict: { valid: false } }
    }
    let isUsedUp = offered.find(kept.provider)?.oneTry ?? true
    try {
      const provider = await this.#providerOf(kept, attempt)
      if (!provider) return { verdict: { valid: false } }
      const { tenantId, endpoint, action, secret } = kept
      const verdict = await askProvider(provider, async () =>
        checkVerdict(await provider.verify({ tenantId, endpoint, action, secret, solution })),
      )
      if (!verdict.valid) return { verdict: { valid: false } }
      isUsedUp = true
      return { verdict, kept }
    } finally {
      if (!isUsedUp) await store.putBack(challengeId, kept)
    }
  }

  /** The provider of a challenge that may be used so, or undefined. */
  async #providerOf(kept: KeptChallenge, use: Omit<Attempt, 'challengeId' | 'solution'>) {
    const { offered } = this.#parts
    const provider = offered.find(kept.provider)
    if (!provider || kept.endpoint !== use.endpoint || kept.action !== use.action) return undefined
    if (use.providerCode !== undefined && offered.find(use.providerCode) !== provider) return undefined
    const isOurs = (await this.#isFor(kept, use)) && (await provider.isOffered(use.tenantId))
    return isOurs ? provider : undefined
  }

  /**
   * A page of the platform's own host may not know yet which tenant somebody signs in to: what it asked for counts for any
   * tenant that would not have asked for more.
   */
  async #isFor(kept: KeptChallenge, { tenantId, endpoint }: CaptchaBinding): Promise<boolean> {
    if (kept.tenantId === tenantId) return true
    if (kept.tenantId !== 0 || endpoint === 'admin') return false
    return isAtLeast(kept.difficulty, await this.#parts.settings.difficulty(tenantId))
  }
}
