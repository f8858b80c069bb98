import { defineService, type Localised } from '#kernel'

/** Which side asks. */
export type CaptchaEndpoint = 'admin' | 'tenant' | 'user'
/** What is about to be done. */
export type CaptchaAction = 'login' | 'register' | 'forgot_password' | 'login_code'
/** How hard a challenge is. */
export type CaptchaDifficulty = 'easy' | 'medium' | 'hard'

/** What a challenge is bound to; an answer counts nowhere else. */
export interface CaptchaBinding {
  /** 0 is the platform. */
  readonly tenantId: number
  readonly endpoint: CaptchaEndpoint
  readonly action: CaptchaAction
}

/** What a caller sends with a request: a challenge that was verified before, or one with its solution. */
export interface CaptchaAnswer {
  readonly providerCode?: string | undefined
  readonly challengeId?: string | undefined
  readonly solution?: string | undefined
}

/** Something that is about to be done and may demand a captcha. */
export interface CaptchaDemand extends CaptchaBinding {
  readonly answer: CaptchaAnswer | undefined
  /** Failures that count against the caller so far. */
  readonly failures: number
  /** Demanded whatever the failures are, such as when somebody tries one account from many networks. */
  readonly always?: boolean
}

/** Lets requests pass that need no captcha or bring a good one. */
export interface CaptchaGate {
  /** Uses the answer up. Throws 400/4004 when one is needed and none came, 400/4005 when it is wrong, old, used or bound to something else. */
  pass(demand: CaptchaDemand): Promise<void>
}

/** What a provider makes: what the caller is shown, and what only the provider understands when the answer comes. */
export interface MadeChallenge {
  readonly challenge: unknown
  /** JSON, kept on the server until the answer comes. */
  readonly secret: unknown
}

/** A way to tell people from programs. The image provider is built in; plugins with the captcha capability add more. */
export interface CaptchaProvider {
  readonly code: string
  /** What administrators choose it by; the code unless said otherwise. */
  readonly title?: Localised
  /** The third-party plugin behind it, or null. */
  readonly plugin: string | null
  /** Whether a wrong answer uses the challenge up, as it must where answers can be guessed. */
  readonly oneTry: boolean
  /** A plugin's provider serves only tenants that use the plugin; 0 is the platform. */
  isOffered(tenantId: number): Promise<boolean>
  challenge(request: CaptchaBinding & { readonly difficulty: CaptchaDifficulty }): Promise<MadeChallenge>
  verify(
    request: CaptchaBinding & { readonly secret: unknown; readonly solution: string },
  ): Promise<{ readonly valid: boolean; readonly score?: number }>
}

/** The providers there are. */
export interface CaptchaProviders {
  register(provider: CaptchaProvider): Disposable
}

/** Lets requests pass that need no captcha or bring a good one. */
export const captchaGate = defineService<CaptchaGate>('captcha.gate')
/** The providers there are. */
export const captchaProviders = defineService<CaptchaProviders>('captcha.providers')
