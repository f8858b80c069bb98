import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Knex } from 'knex'
import { lockUntilCommit, type SecretBox } from '#kernel'

interface PepperRow {
  readonly version: number
  readonly sealed: string
}

/** The keys of the hashes that secrets are kept as: sealed in the database, each with a version, so that a new one leaves old hashes good. */
export class Peppers {
  readonly #db: Knex
  readonly #secrets: SecretBox
  readonly #known = new Map<number, KeyObject>()

  constructor(db: Knex, secrets: SecretBox) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Hashes a new secret under the latest pepper, and makes the first one. */
  async hash(secret: string, trx: Knex.Transaction): Promise<{ readonly hash: string; readonly version: number }> {
    const version = (await this.#latest(trx)) ?? (await this.#create(trx))
    return { hash: this.hashUnder(await this.get(version, trx), secret).toString('base64url'), version }
  }

  /** The hash of a secret; HMAC-SHA-256, for secrets of 256 bits need no slow one. */
  hashUnder(pepper: KeyObject, secret: string): Buffer {
    return createHmac('sha256', pepper).update(secret).digest()
  }

  /** Throws DecryptError where the key ring does not open it any more. */
  async get(version: number, db: Knex = this.#db): Promise<KeyObject> {
    const known = this.#known.get(version)
    if (known) return known
    const row = await db('ai_key_peppers').where({ version }).first<PepperRow | undefined>()
    if (!row) throw new Error(`there is no pepper ${version}`)
    const pepper = createSecretKey(this.#secrets.open(row.sealed), 'base64url')
    this.#known.set(version, pepper)
    return pepper
  }

  async #latest(trx: Knex.Transaction): Promise<number | undefined> {
    const row = await trx('ai_key_peppers').max('version as version').first<{ version: number | null }>()
    return row.version ?? undefined
  }

  async #create(trx: Knex.Transaction): Promise<number> {
    await lockUntilCommit(trx, 'ai_ledger.pepper')
    const made = await this.#latest(trx)
    if (made !== undefined) return made
    const sealed = this.#secrets.seal(randomBytes(32).toString('base64url'))
    await trx('ai_key_peppers').insert({ version: 1, sealed })
    return 1
  }
}
