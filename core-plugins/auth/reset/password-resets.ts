import type { Tenant, TenantResolver } from '#kernel'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { PasswordNotice } from '../account/password-notice.ts'
import type { CodeBinding } from '../codes/code-binding.ts'
import type { CodeTries } from '../codes/code-tries.ts'
import type { SessionOrigin } from '../contract.ts'
import { CodeInvalidError, ResetLinkInvalidError } from '../errors.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import type { SignedIn, SignInFinisher } from '../sign-in/sign-in-finisher.ts'
import type { OneTimeCodes } from '../codes/one-time-codes.ts'
import type { ResetLink } from '../codes/reset-models.ts'
import type { ResetLinks } from '../codes/reset-links.ts'

/** What the choice of a new password stands on. */
interface PasswordResetParts {
  readonly users: UserDirectory
  readonly tenants: TenantResolver
  readonly door: FrontDoor
  readonly links: ResetLinks
  readonly codes: OneTimeCodes
  readonly tries: CodeTries
  readonly notice: PasswordNotice
  readonly finisher: SignInFinisher
}

/** A proof that can be used once, and put back when the use came to nothing. */
interface Proof {
  readonly method: 'email' | 'sms'
  take(): Promise<boolean>
  putBack(): Promise<void>
}

/**
 * Gives people who have proved who they are a new password and a session; everything older is over. A password that is
 * refused leaves the link or the code as it was.
 */
export class PasswordResets {
  readonly #parts: PasswordResetParts

  constructor(parts: PasswordResetParts) {
    this.#parts = parts
  }

  /** Throws 400/4006 for a link that opens nothing, 403/4034 for a user who may not sign in, 422/4223, and 401/4017. */
  async byLink(
    scope: 'platform' | 'tenant',
    token: string,
    password: string,
    origin: SessionOrigin,
  ): Promise<SignedIn> {
    const { users, links } = this.#parts
    const link = await links.find(token, scope)
    const user = link && (await users.find(link.tenantId, link.userId))
    if (!link || user?.version !== link.version) throw new ResetLinkInvalidError()
    const tenant = await this.#tenantOf(link, origin)
    const proof = {
      method: 'email' as const,
      take: () => links.take(link),
      putBack: () => links.putBack(link),
    }
    return this.#reset(user, tenant, password, proof, origin)
  }

  /** The same with a code that was sent to an address of the user. */
  async byCode(
    tenant: Tenant | null,
    binding: CodeBinding,
    { code, password }: { readonly code: string; readonly password: string },
    origin: SessionOrigin,
  ): Promise<SignedIn> {
    const { users, tries, codes } = this.#parts
    const user = await users.findByIdentifier(binding.tenantId, binding.address)
    const fitting = await tries.demand(binding, code, user, origin.ip)
    if (!user) throw new CodeInvalidError()
    const proof = {
      method: binding.channel,
      take: () => tries.use(fitting, origin.ip),
      putBack: () => codes.putBack(fitting),
    }
    return this.#reset(user, tenant, password, proof, origin)
  }

  async #reset(
    user: UserRecord,
    tenant: Tenant | null,
    password: string,
    proof: Proof,
    origin: SessionOrigin,
  ): Promise<SignedIn> {
    const { users, notice, finisher } = this.#parts
    finisher.requireAllowed(user, origin)
    // Taken before the password is set, so that of two who come at once one succeeds.
    if (!(await proof.take())) throw new CodeInvalidError()
    const changed = await users
      .setPassword(user.tenantId, user.id, password, { tenantName: tenant?.name })
      .catch(async (error: unknown) => {
        // Unless somebody else has chosen a new password meanwhile, which makes older proofs worthless.
        if ((await users.find(user.tenantId, user.id))?.version === user.version) await proof.putBack()
        throw error
      })
    await notice.send(changed, tenant, origin)
    return finisher.finish(changed, tenant, origin, [proof.method])
  }

  async #tenantOf({ tenantId }: ResetLink, { ip }: SessionOrigin): Promise<Tenant | null> {
    const { door, tenants } = this.#parts
    if (tenantId === 0) {
      await door.toPlatform(ip)
      return null
    }
    const tenant = await tenants.byId(tenantId)
    if (!tenant) throw new ResetLinkInvalidError()
    await door.requireOpen(tenant)
    return tenant
  }
}
