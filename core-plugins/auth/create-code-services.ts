import { tenantsDeleted, type Scope, type TenantResolver } from '#kernel'
import type { CaptchaGate } from '../captcha/contract.ts'
import type { MessageSender } from '../mail/contract.ts'
import { usersChanged, type UserDirectory } from '../users/contract.ts'
import { PasswordNotice } from './account/password-notice.ts'
import type { FrontDoor } from './sign-in/front-door.ts'
import type { Lockout } from './sign-in/lockout.ts'
import type { SignInFinisher } from './sign-in/sign-in-finisher.ts'
import { PasswordResets } from './reset/password-resets.ts'
import { ResetLinks } from './codes/reset-links.ts'
import { ResetRequests } from './codes/reset-requests.ts'
import { CodeDelivery } from './codes/code-delivery.ts'
import { CodeLogin } from './codes/code-login.ts'
import { CodeTries } from './codes/code-tries.ts'
import { OneTimeCodes } from './codes/one-time-codes.ts'
import { SendGate } from './codes/send-gate.ts'
import { SendLimits } from './codes/send-limits.ts'

/** What codes and links stand on. */
interface CodeServiceParts {
  readonly scope: Scope
  readonly users: UserDirectory
  readonly tenants: TenantResolver
  readonly mail: MessageSender
  readonly captcha: CaptchaGate
  readonly lockout: Lockout
  readonly door: FrontDoor
  readonly finisher: SignInFinisher
}

/** What proves who somebody is without a password. */
interface CodeServices {
  readonly codeLogin: CodeLogin
  readonly resetRequests: ResetRequests
  readonly passwordResets: PasswordResets
  readonly notice: PasswordNotice
  readonly codes: OneTimeCodes
  readonly links: ResetLinks
}

/** Puts together what proves who somebody is without a password. */
export function createCodeServices(parts: CodeServiceParts): CodeServices {
  const { scope, users, mail, lockout, door } = parts
  const { db, log } = scope
  const codes = new OneTimeCodes(db, scope.secrets.derive('auth.codes'))
  const links = new ResetLinks(db)
  const tries = new CodeTries(codes, lockout)
  const limits = new SendLimits(scope.limiter)
  const gate = new SendGate(parts.captcha, limits, lockout)
  const delivery = new CodeDelivery({ db, log, codes, mail })
  const notice = new PasswordNotice(mail, log)
  return {
    codes,
    links,
    notice,
    codeLogin: new CodeLogin({ users, door, gate, delivery, tries, finisher: parts.finisher }),
    resetRequests: new ResetRequests({ db, users, gate, limits, delivery, links, publicUrl: scope.env.publicUrl }),
    passwordResets: new PasswordResets({ ...parts, codes, links, tries, notice }),
  }
}

/** New credentials make every outstanding code and link of a user worthless; users and tenants that are gone have none. */
export function followCodeChanges(scope: Scope, { codes, links }: CodeServices): void {
  scope.on(usersChanged, async ({ tenantId, userId, change }) => {
    // It may be the address that changed, whose links are in somebody else's mail from now on.
    if (change === 'updated') await links.forget(tenantId, userId)
    if (change !== 'password' && change !== 'deleted') return
    await Promise.all([codes.forget(tenantId, userId), links.forget(tenantId, userId)])
  })
  scope.on(tenantsDeleted, async ({ tenantId }) => {
    await Promise.all([codes.forgetTenant(tenantId), links.forgetTenant(tenantId)])
  })
}
