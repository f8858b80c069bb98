import type { Knex } from 'knex'
import { createOneTimeToken, hashOneTimeToken, type Scope } from '#kernel'
import type { Access, Audit } from '../../access/contract.ts'
import type { ConfigWriter } from '../../config/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import { setupCompleted, type Setup } from '../contract.ts'
import { SetupDoneError, SetupTokenInvalidError } from '../errors.ts'
import { SetupLink } from './models.ts'

/** What the set-up stands on. */
interface SetupParts {
  readonly scope: Scope
  readonly users: UserDirectory
  readonly access: Access
  readonly audit: Audit
  readonly configWriter: ConfigWriter
}

/** The first administrator to be. */
interface FirstAdmin {
  readonly email: string
  readonly password: string
  readonly nickname?: string | undefined
  readonly locale?: string | undefined
}

const linkMilliseconds = 30 * 60_000
const role = 'super_admin'

/** Gives a new platform its first administrator. */
export class SetupService implements Setup {
  readonly #parts: SetupParts

  constructor(parts: SetupParts) {
    this.#parts = parts
  }

  async isDone(): Promise<boolean> {
    return (await this.#parts.access.holdersOf(0, role)).length > 0
  }

  async createSetupLink(): Promise<{ token: string; url: string }> {
    const { db, env } = this.#parts.scope
    const { token, hash: tokenHash } = createOneTimeToken()
    await db.transaction(async (trx) => {
      await SetupLink.with(trx).delete()
      await SetupLink.with(trx).insert({ tokenHash, expiresAt: new Date(Date.now() + linkMilliseconds) })
    })
    return { token, url: `${env.publicUrl}/console/setup#token=${token}` }
  }

  async createAdmin(admin: FirstAdmin): Promise<void> {
    await this.#create(admin)
  }

  /** Makes the holder of a link the first administrator; a refused password leaves the link as it is. */
  async useLink(token: string, admin: FirstAdmin, siteName: string | undefined): Promise<UserRecord> {
    if (!(await this.#findLink(token, this.#parts.scope.db))) throw new SetupTokenInvalidError()
    const user = await this.#create(admin, async (trx) => {
      const used = await SetupLink.with(trx).delete().where('token_hash', hashOneTimeToken(token))
      if (used === 0) throw new SetupTokenInvalidError()
    })
    const values = {
      ...(siteName !== undefined && { site_name: siteName }),
      ...(admin.locale !== undefined && { default_locale: admin.locale }),
    }
    if (Object.keys(values).length > 0) {
      await this.#parts.configWriter.write('platform_basic', 0, values, { actor: null })
    }
    return user
  }

  async #create(admin: FirstAdmin, first?: (trx: Knex.Transaction) => Promise<void>): Promise<UserRecord> {
    const { scope, users, access, audit } = this.#parts
    const { password, ...person } = admin
    const passwordHash = await users.hashPassword(password, { tenantId: 0, ...person })
    const user = await scope.db.transaction(async (trx) => {
      const holders = await access.lockHolders(0, role, trx)
      if (holders.length > 0) throw new SetupDoneError()
      await first?.(trx)
      const created = await users.create(0, { ...person, passwordHash }, trx)
      await access.assignRoles(0, created.id, [role], trx)
      const target = `user:${created.id}`
      await audit.record({ tenantId: 0, actor: null, action: 'platform.set_up', target, after: person }, trx)
      return created
    })
    await access.invalidate(0)
    await scope.emit(setupCompleted, { userId: user.id })
    return user
  }

  async #findLink(token: string, db: Knex): Promise<SetupLink | undefined> {
    return SetupLink.with(db).findById(hashOneTimeToken(token)).where('expires_at', '>', new Date())
  }
}
