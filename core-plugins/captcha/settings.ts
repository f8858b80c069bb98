import type { RateLimit } from '#kernel'
import type { ConfigReader } from '../config/contract.ts'
import type { CaptchaDemand, CaptchaDifficulty } from './contract.ts'
import { CaptchaRateLimitedError } from './errors.ts'

/** The keys that decide about one side's captchas. */
interface Switches {
  readonly enabled: readonly string[]
  readonly threshold: string
}

const platformLogin: Switches = {
  enabled: ['login_captcha_enabled'],
  threshold: 'captcha_enable_threshold_admin',
}
const tenantLogin: Switches = {
  enabled: ['captcha_enabled'],
  threshold: 'captcha_enable_threshold',
}
const userLogin: Switches = {
  enabled: ['captcha_enabled', 'user_login_captcha_enabled'],
  threshold: 'user_login_captcha_enable_threshold',
}
const registration = ['captcha_enabled', 'user_registration_captcha_enabled']
const logins = { admin: platformLogin, tenant: tenantLogin, user: userLogin } as const

/** Which provider configuration names: a plugin's own, or one by its code. */
export interface ProviderChoice {
  readonly code: string
  /** Empty unless the provider of a certain plugin is meant. */
  readonly plugin: string
}

/** What configuration says of captchas; tenant 0 is the platform. */
export class CaptchaSettings {
  readonly #config: ConfigReader

  constructor(config: ConfigReader) {
    this.#config = config
  }

  /** The tenant's choice, or the platform's where the tenant made none. */
  async provider(tenantId: number): Promise<ProviderChoice> {
    const code = await this.#config.get<string>('captcha_provider', tenantId)
    if (code === '' && tenantId > 0) return this.provider(0)
    return { code, plugin: await this.#config.get<string>('captcha_plugin', tenantId) }
  }

  /** The tenant's difficulty, or the platform's where the tenant chose none. */
  async difficulty(tenantId: number): Promise<CaptchaDifficulty> {
    const own = await this.#config.get<CaptchaDifficulty | ''>('captcha_difficulty', tenantId)
    return own === '' ? this.#config.get<CaptchaDifficulty>('captcha_difficulty') : own
  }

  /** Seconds that a challenge may be answered. */
  lifetime(): Promise<number> {
    return this.#config.get<number>('captcha_ttl_seconds')
  }

  /** Whether what is about to be done needs a captcha. */
  async isDemanded({ tenantId, endpoint, action, failures, always }: CaptchaDemand): Promise<boolean> {
    const { enabled, threshold } = logins[endpoint]
    if (action === 'register') return this.#areOn(endpoint === 'admin' ? enabled : registration, tenantId)
    if (!(await this.#areOn(enabled, tenantId))) return false
    return always === true || failures >= (await this.#config.get<number>(threshold, tenantId))
  }

  /** How often an address may ask for challenges, or answer them. */
  async limit(of: 'challenge' | 'verify'): Promise<RateLimit> {
    const requests = await this.#config.get<number>(`captcha_${of}_limit`)
    return { policy: `captcha-${of}`, requests, seconds: 60, by: 'ip', error: CaptchaRateLimitedError }
  }

  async #areOn(keys: readonly string[], tenantId: number): Promise<boolean> {
    const values = await Promise.all(keys.map((key) => this.#config.get<boolean>(key, tenantId)))
    return values.every(Boolean)
  }
}
