import { UnauthenticatedError, type Principal, type Tenant } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { Preferences } from '../../preferences/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { SessionOrigin, Sessions } from '../contract.ts'
import { PasswordMismatchError, PasswordUnchangedError } from '../errors.ts'
import type { Lockout } from '../sign-in/lockout.ts'
import type { SignedIn } from '../sign-in/sign-in-finisher.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { PasswordNotice } from './password-notice.ts'

/** What callers' own accounts stand on. */
interface AccountParts {
  readonly users: UserDirectory
  readonly access: Access
  readonly preferences: Preferences
  readonly config: ConfigReader
  readonly sessions: Sessions
  readonly store: SessionStore
  readonly lockout: Lockout
  readonly notice: PasswordNotice
}

// Feature as the page knows it → the configuration's switch.
const features = {
  ai: 'ai_access',
  api_access: 'api_access',
  file_upload: 'file_upload',
  profile_edit: 'allow_profile_edit',
} as const

// What the place looks like that somebody is signed in to, as the platform's configuration and tenants' name it.
const looks = {
  platform: { logo: 'site_logo', logo_dark: 'logo_dark', favicon: 'site_favicon', brand_color: 'brand_color' },
  tenant: { logo: 'logo_url', logo_dark: 'logo_dark_url', favicon: 'favicon_url', brand_color: 'brand_color' },
} as const

/** What callers may do with their own account. */
export class AccountService {
  readonly #parts: AccountParts

  constructor(parts: AccountParts) {
    this.#parts = parts
  }

  async describe({ tenantId, userId }: Principal, tenant: Tenant | undefined) {
    const { users, access, preferences } = this.#parts
    const [user, grants, version] = await Promise.all([
      this.#getUser(tenantId, userId),
      access.grantsOf(tenantId, userId),
      preferences.versionOf({ tenantId, userId }),
    ])
    return {
      user: await users.present(user),
      tenant: tenant ? { id: tenant.id, code: tenant.code, name: tenant.name } : null,
      roles: grants.roles.map(({ code }) => code),
      permissions: grants.permissions,
      data_scope: grants.dataScope,
      features: tenantId === 0 ? {} : await this.#features(tenantId),
      preferences_version: version,
      site: await this.#site(tenant),
      password_rules: await this.#passwordRules(tenantId),
    }
  }

  /** Changes the own password; every session ends, and a new one of the same device begins. */
  async changePassword(
    { tenantId, userId, sessionId, methods }: Principal,
    tenant: Tenant | null,
    passwords: { readonly old: string; readonly new: string },
    origin: SessionOrigin,
  ): Promise<SignedIn> {
    const { users, sessions, store, lockout, notice } = this.#parts
    // A stolen access token must not be a way to try passwords without end.
    const attempt = { tenantId, account: `user:${userId}`, ip: origin.ip }
    await lockout.requireOpen(attempt)
    if (!(await users.verifyPassword(tenantId, userId, passwords.old))) {
      await lockout.recordFailure(attempt)
      throw new PasswordMismatchError()
    }
    if (passwords.old.normalize('NFKC') === passwords.new.normalize('NFKC')) throw new PasswordUnchangedError()
    const deviceName = (await store.find(tenantId, sessionId))?.deviceName ?? undefined
    const changed = await users.setPassword(tenantId, userId, passwords.new, { tenantName: tenant?.name })
    await lockout.clear(attempt)
    await notice.send(changed, tenant, { ...origin, deviceName })
    const tokens = await sessions.issue(changed, { ...origin, deviceName }, methods && { methods })
    return { user: changed, tokens, tenant }
  }

  async #getUser(tenantId: number, userId: number): Promise<UserRecord> {
    const user = await this.#parts.users.find(tenantId, userId)
    // Deleted between the check of the token and now.
    if (!user) throw new UnauthenticatedError()
    return user
  }

  async #site(tenant: Tenant | undefined): Promise<Record<string, string>> {
    const { config } = this.#parts
    const read = (key: string) => config.get<string>(key, tenant?.id ?? 0, '')
    const entries = Object.entries(looks[tenant ? 'tenant' : 'platform']).map(async ([name, key]) => {
      return [name, await read(key)] as const
    })
    return { name: tenant?.name ?? (await read('site_name')), ...Object.fromEntries(await Promise.all(entries)) }
  }

  /** What a new password has to be, as far as whoever chooses it can be told beforehand. */
  async #passwordRules(tenantId: number): Promise<Record<string, unknown>> {
    const { config } = this.#parts
    return {
      min_length: await config.get<number>('password_min_length', tenantId, tenantId === 0 ? 12 : 8),
      complexity: await config.get<string>('password_complexity', tenantId, 'none'),
    }
  }

  async #features(tenantId: number): Promise<Record<string, boolean>> {
    const entries = Object.entries(features).map(async ([feature, key]) => {
      return [feature, await this.#parts.config.get(key, tenantId, true)] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }
}
