import type { Knex } from 'knex'
import { createOneTimeToken, hashOneTimeToken } from '#kernel'
import type { UserRecord } from '../../users/contract.ts'
import { ResetLink } from './reset-models.ts'

/** How long a link is good, in minutes. */
export const linkMinutes = 30

/** Links of 32 random bytes, kept as hashes: good for half an hour and one use. */
export class ResetLinks {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** Makes a token; without a user it is one that opens nothing. */
  async create(tenantId: number, user: UserRecord | undefined, trx: Knex.Transaction): Promise<string> {
    const { token, hash: tokenHash } = createOneTimeToken('rp_')
    await ResetLink.of(tenantId, trx).insert({
      tokenHash,
      userId: user?.id ?? 0,
      version: user?.version ?? 0,
      expiresAt: new Date(Date.now() + linkMinutes * 60_000),
    })
    return token
  }

  /** The link behind a token, which does not tell the tenant, so that it can be looked at before it is used. */
  async find(token: string, scope: 'platform' | 'tenant'): Promise<ResetLink | undefined> {
    return ResetLink.acrossTenants(this.#db)
      .findById(hashOneTimeToken(token))
      .where('tenant_id', scope === 'platform' ? '=' : '<>', 0)
      .where('expires_at', '>', new Date())
  }

  /** Takes a link away; false when somebody else has. */
  async take(link: ResetLink): Promise<boolean> {
    return (await ResetLink.of(link.tenantId, this.#db).delete().where('token_hash', link.tokenHash)) > 0
  }

  /** Puts back a link that was taken and did nothing. */
  async putBack({ tenantId, tokenHash, userId, version, expiresAt }: ResetLink): Promise<void> {
    await ResetLink.of(tenantId, this.#db).insert({ tokenHash, userId, version, expiresAt })
  }

  /** Takes every link from a user. */
  async forget(tenantId: number, userId: number): Promise<void> {
    await ResetLink.of(tenantId, this.#db).delete().where('user_id', userId)
  }

  /** Takes every link from a tenant that is gone. */
  async forgetTenant(tenantId: number): Promise<void> {
    await ResetLink.of(tenantId, this.#db).delete()
  }

  /** Deletes links that are too old. */
  async sweep(): Promise<void> {
    await ResetLink.acrossTenants(this.#db).delete().where('expires_at', '<=', new Date())
  }
}
