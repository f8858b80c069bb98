import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { CodeBinding } from './code-binding.ts'
import { AuthCode } from './models.ts'

/** How long a code is good, in seconds. */
export const codeSeconds = 300
const mostTries = 5

/** A code that was tried and fits, to be used up. */
export type FittingCode = Readonly<
  Pick<AuthCode, 'tenantId' | 'target' | 'purpose' | 'codeHash' | 'tries' | 'expiresAt'>
> & { readonly userId: number }

/** Codes of six digits: one for each address and purpose, good for five minutes, five tries and one use. */
export class OneTimeCodes {
  readonly #db: Knex
  readonly #key: Buffer

  constructor(db: Knex, key: Buffer) {
    this.#db = db
    this.#key = key
  }

  /** Makes a code in the place of an earlier one; without a user it is a code that opens nothing. */
  async create(binding: CodeBinding, userId: number | null, trx: Knex.Transaction): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const { tenantId, purpose } = binding
    const fresh = {
      userId,
      codeHash: this.#hash(binding, code),
      tries: 0,
      expiresAt: new Date(Date.now() + codeSeconds * 1000),
    }
    await AuthCode.of(tenantId, trx)
      .insert({ target: this.#target(binding), purpose, ...fresh })
      .onConflict(['tenant_id', 'target', 'purpose'])
      .merge(fresh)
    return code
  }

  /** Counts a try, one statement for all that come at once, and answers the code when it fits. */
  async try(binding: CodeBinding, code: string): Promise<FittingCode | undefined> {
    const [row] = await AuthCode.of(binding.tenantId, this.#db)
      .patch({ tries: raw('tries + 1') })
      .where({ target: this.#target(binding), purpose: binding.purpose })
      .where('tries', '<', mostTries)
      .where('expires_at', '>', new Date())
      .returning('*')
    // Hashed also where there is no code, so that it costs the same.
    const hash = Buffer.from(this.#hash(binding, code))
    const expected = Buffer.from(row?.codeHash ?? '')
    if (!row || hash.length !== expected.length || !timingSafeEqual(hash, expected)) return undefined
    const { userId } = row
    return userId === null ? undefined : Object.assign(row, { userId })
  }

  /** Uses a code up; false when somebody else has, or a newer code has taken its place. */
  async use({ tenantId, target, purpose, codeHash }: FittingCode): Promise<boolean> {
    const used = await AuthCode.of(tenantId, this.#db).delete().where({ target, purpose }).where('code_hash', codeHash)
    return used > 0
  }

  /** Puts back a code that was used and did nothing, unless a newer one has taken its place; the try is given back too. */
  async putBack({ tenantId, target, purpose, codeHash, tries, expiresAt, userId }: FittingCode): Promise<void> {
    await AuthCode.of(tenantId, this.#db)
      .insert({ target, purpose, codeHash, tries: tries - 1, expiresAt, userId })
      .onConflict(['tenant_id', 'target', 'purpose'])
      .ignore()
  }

  /** Takes every code from a user. */
  async forget(tenantId: number, userId: number): Promise<void> {
    await AuthCode.of(tenantId, this.#db).delete().where('user_id', userId)
  }

  /** Takes every code from a tenant that is gone. */
  async forgetTenant(tenantId: number): Promise<void> {
    await AuthCode.of(tenantId, this.#db).delete()
  }

  /** Deletes codes that are too old. */
  async sweep(): Promise<void> {
    await AuthCode.acrossTenants(this.#db).delete().where('expires_at', '<=', new Date())
  }

  // JSON keeps the parts apart, whatever an address contains.
  #target({ tenantId, channel, address }: CodeBinding): string {
    return this.#mac(['target', tenantId, channel, address])
  }

  #hash({ tenantId, channel, address, purpose }: CodeBinding, code: string): string {
    return this.#mac(['code', tenantId, channel, address, purpose, code])
  }

  #mac(parts: readonly unknown[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url')
  }
}
