import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Knex } from 'knex'
import type { SecretBox } from '#kernel'
import { SecretRow, type HookRow } from '../models.ts'
import { hostOf } from './target.ts'

const prefix = 'whsec_'
const bytes = 32
/** How many that were renewed sign beside the one that goes on: signatures are one header. */
const mostBefore = 3

type Place = Pick<HookRow, 'tenantId' | 'id' | 'host'>

/** What is kept of a hook does not belong together: nothing of it is sent. */
export class UnsignableError extends Error {
  override readonly name = 'UnsignableError'
}

/** The secrets that sign, each bound to one hook and one host. */
export class HookSecrets {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** A new secret, as its server is to know it; those before sign beside it for so long, or with 0 not any more. */
  async issue(trx: Knex, hook: Place, graceMs: number): Promise<string> {
    const { tenantId, id: webhookId, host } = hook
    const known = () => SecretRow.of(tenantId, trx).where({ webhook_id: webhookId })
    if (graceMs === 0) await known().delete()
    else {
      const until = new Date(Date.now() + graceMs)
      await known().whereNull('expires_at').patch({ expiresAt: until })
      // A shorter grace is meant for all of them: the oldest may be what the others were renewed for.
      await known().where('expires_at', '>', until).patch({ expiresAt: until })
      const kept = known().select('id').orderBy('id', 'desc').limit(mostBefore)
      await known().whereNotIn('id', kept).delete()
    }
    const secret = `${prefix}${randomBytes(bytes).toString('base64')}`
    const sealed = this.#box.sealBound(secret, placeOf(hook))
    await SecretRow.of(tenantId, trx).insert({ id: randomUUIDv7(), webhookId, host, sealed })
    return secret
  }

  /**
   * Where a hook is and what signs now, the newest first, without what only marks them as secrets. Throws a DecryptError or an
   * UnsignableError where they are not those of its host.
   */
  async open(db: Knex, hook: HookRow): Promise<{ readonly url: URL; readonly keys: readonly Buffer[] }> {
    const url = this.openUrl(hook)
    const keys = await this.#keysOf(db, hook)
    if (keys.length === 0 || hostOf(url) !== hook.host) throw new UnsignableError()
    return { url: new URL(url), keys }
  }

  async #keysOf(db: Knex, hook: Place): Promise<readonly Buffer[]> {
    const rows = await SecretRow.of(hook.tenantId, db)
      .where({ webhook_id: hook.id, host: hook.host })
      .where((still) => void still.whereNull('expires_at').orWhere('expires_at', '>', new Date()))
      .orderBy('id', 'desc')
    return rows.map(({ sealed }) => {
      return Buffer.from(this.#box.openBound(sealed, placeOf(hook)).slice(prefix.length), 'base64')
    })
  }

  sealUrl({ tenantId, id }: Pick<Place, 'tenantId' | 'id'>, url: string): string {
    return this.#box.sealBound(url, ['webhooks', String(tenantId), id])
  }

  openUrl({ tenantId, id, url }: Pick<HookRow, 'tenantId' | 'id' | 'url'>): string {
    return this.#box.openBound(url, ['webhooks', String(tenantId), id])
  }
}

/** As `boundBy` of the manifest has it. */
function placeOf({ tenantId, id, host }: Place): readonly string[] {
  return ['webhook_secrets', String(tenantId), id, host]
}
