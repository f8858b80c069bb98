import type { Knex } from 'knex'
import { requireFreshSignIn, UnauthenticatedError, type Principal, type RequestState, type Scope } from '#kernel'
import type { Audit } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import { usersChanged, type LoginSecurity } from '../contract.ts'
import { SecondFactorInvalidError } from '../errors.ts'
import type { User } from '../models.ts'
import type { SecondFactorChecker } from '../second-factor/checker.ts'
import type { SecondFactor } from '../second-factor/models.ts'
import { generateRecoveryCodes } from '../second-factor/recovery-codes.ts'
import type { SecondFactorStore } from '../second-factor/store.ts'
import { generateSecret, otpauthUri } from '../second-factor/totp.ts'
import type { UserStore } from '../store.ts'
import { presentLoginSecurity } from './present.ts'
import { changeLoginSecurity, type LoginSecurityChange } from './login-security.ts'

/** How long a secret waits for its first code. */
const pendingMilliseconds = 15 * 60_000

/** What the safety of the own sign-in stands on. */
interface SecurityParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly factors: SecondFactorStore
  readonly checker: SecondFactorChecker
  readonly config: ConfigReader
  readonly audit: Audit
}

/** A change as its user makes it. */
interface SecurityChange {
  readonly twoFactorEnabled?: boolean | undefined
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | undefined
  readonly loginSecurity?: LoginSecurityChange | undefined
}

/** How the second factor stands; secrets are shown this once. */
interface SecurityResult {
  readonly status: 'enabled' | 'disabled' | 'pending'
  readonly otpauth_uri?: string
  readonly secret?: string
  readonly recovery_codes?: readonly string[]
}

/** Who changes it, and from where. */
interface SecurityCaller {
  readonly principal: Principal
  readonly state: RequestState
}

/** The safety of the own sign-in: a second factor, and what sign-ins must be like. */
export class SecurityService {
  readonly #parts: SecurityParts

  constructor(parts: SecurityParts) {
    this.#parts = parts
  }

  async change(change: SecurityChange, caller: SecurityCaller): Promise<SecurityResult> {
    const { scope, store, checker, config } = this.#parts
    const { tenantId, userId } = caller.principal
    // Every part of it decides about later sign-ins: a stolen session must not make itself at home.
    requireFreshSignIn(caller.principal)
    if (change.twoFactorEnabled !== undefined && change.code !== undefined) await checker.limit(tenantId, userId)
    const issuer = caller.state.tenant?.name ?? (await config.get('site_name', 0, 'Stoa'))
    const result = await scope.db.transaction(async (trx) => {
      const user = await store.findToChange(tenantId, userId, trx)
      // Deleted between the check of the token and now.
      if (!user) throw new UnauthenticatedError()
      const factor = await this.#changeFactor(user, change, issuer, trx)
      const rules =
        change.loginSecurity && changeLoginSecurity(user.loginSecurity, change.loginSecurity, caller.state.ip)
      if (rules) await store.patch(tenantId, userId, { loginSecurity: rules }, trx)
      await this.#record(user, rules, factor.status, caller, trx)
      await scope.emitWithin(trx, usersChanged, { tenantId, userId, change: 'updated' })
      return factor
    })
    await scope.emit(usersChanged, { tenantId, userId, change: 'updated' })
    return result
  }

  /** How the own sign-in is kept safe. */
  async describe({ tenantId, userId }: Principal) {
    const { store, checker } = this.#parts
    const [user, methods] = await Promise.all([store.find(tenantId, userId), checker.methodsOf(tenantId, userId)])
    if (!user) throw new UnauthenticatedError()
    const { twoFactorEnabled, loginSecurity } = user
    return { two_factor_enabled: twoFactorEnabled, methods, login_security: presentLoginSecurity(loginSecurity) }
  }

  async #changeFactor(
    user: User,
    { twoFactorEnabled, code }: SecurityChange,
    issuer: string,
    trx: Knex.Transaction,
  ): Promise<SecurityResult> {
    const factor = await this.#parts.factors.find(user.tenantId, user.id, trx)
    const isOn = Boolean(factor?.confirmedAt)
    if (twoFactorEnabled === undefined) return { status: isOn ? 'enabled' : 'disabled' }
    if (!twoFactorEnabled) return this.#disable(user, isOn ? factor : undefined, code, trx)
    if (code === undefined) return isOn ? { status: 'enabled' } : this.#begin(user, issuer, trx)
    return this.#enable(user, factor, code, trx)
  }

  async #begin(user: User, issuer: string, trx: Knex.Transaction): Promise<SecurityResult> {
    const secret = generateSecret()
    const sealed = this.#parts.scope.secrets.seal(secret)
    await this.#parts.factors.putPending(user.tenantId, user.id, sealed, trx)
    const account = user.email ?? user.account ?? user.phone ?? String(user.id)
    return { status: 'pending', otpauth_uri: otpauthUri(secret, issuer, account), secret }
  }

  /** Confirms the factor that waits; of one that is on, the code buys new recovery codes. */
  async #enable(
    { tenantId, id }: User,
    factor: SecondFactor | undefined,
    code: string,
    trx: Knex.Transaction,
  ): Promise<SecurityResult> {
    const { store, factors, checker } = this.#parts
    const waitsTooLong = factor?.confirmedAt === null && Date.now() - factor.createdAt.getTime() > pendingMilliseconds
    const isGood = factor && !waitsTooLong && (await checker.take(factor, 'totp', code, trx))
    if (!isGood) throw new SecondFactorInvalidError()
    const codes = generateRecoveryCodes()
    await factors.putRecoveryCodes(
      tenantId,
      id,
      codes.map((each) => checker.mac(each)),
      trx,
    )
    if (factor.confirmedAt === null) await factors.confirm(tenantId, id, trx)
    await store.patch(tenantId, id, { twoFactorEnabled: true }, trx)
    return { status: 'enabled', recovery_codes: codes }
  }

  async #disable(
    { tenantId, id }: User,
    factor: SecondFactor | undefined,
    code: string | undefined,
    trx: Knex.Transaction,
  ): Promise<SecurityResult> {
    const { store, factors, checker } = this.#parts
    if (factor) {
      const method = /^\d{6}$/.test(code ?? '') ? 'totp' : 'recovery_code'
      const isGood = code !== undefined && (await checker.take(factor, method, code, trx))
      if (!isGood) throw new SecondFactorInvalidError()
    }
    await factors.delete(tenantId, id, trx)
    await store.patch(tenantId, id, { twoFactorEnabled: false }, trx)
    return { status: 'disabled' }
  }

  async #record(
    user: User,
    rules: LoginSecurity | undefined,
    status: SecurityResult['status'],
    { principal, state }: SecurityCaller,
    trx: Knex.Transaction,
  ): Promise<void> {
    const target = { tenantId: user.tenantId, actor: principal, target: `user:${user.id}`, traceId: state.traceId }
    const before = {
      two_factor_enabled: user.twoFactorEnabled,
      login_security: presentLoginSecurity(user.loginSecurity),
    }
    const after = { two_factor: status, ...(rules && { login_security: presentLoginSecurity(rules) }) }
    await this.#parts.audit.record({ ...target, action: 'user.security_changed', before, after }, trx)
  }
}
