import type { Knex } from 'knex'
import { DecryptError, type SecretBox } from '#kernel'
import { ProviderSecretRow, type ProviderRow } from '../tables.ts'

/** What is shown of a secret. */
export interface PresentedSecret {
  readonly set: boolean
  readonly hint: string | null
  readonly state: 'ok' | 'undecryptable' | 'missing'
  readonly rotated_at: string | null
}

/** Values by field: a text sets, null clears, what is absent stays. */
export type SecretChange = Readonly<Record<string, string | null>>

/** The shortest secret of which the last characters are shown. */
const longEnough = 12
const shown = 4

/** The secrets of providers: written, shown by a hint, opened for calls alone. */
export class ProviderSecrets {
  readonly #box: SecretBox

  constructor(box: Pick<SecretBox, 'sealBound' | 'openBound'>) {
    this.#box = box as SecretBox
  }

  /** Those of some providers, by provider. */
  async of(ids: readonly string[], db: Knex): Promise<ReadonlyMap<string, readonly ProviderSecretRow[]>> {
    const rows = await ProviderSecretRow.acrossTenants(db).whereIn('provider_id', [...ids])
    return Map.groupBy(rows, ({ providerId }) => providerId)
  }

  /** The plain text; undefined where no key of the ring opens it for this row. */
  open({ providerId, field, tenantId, sealed }: ProviderSecretRow): string | undefined {
    try {
      return this.#box.openBound(sealed, bindingOf(providerId, field, tenantId))
    } catch (error) {
      if (error instanceof DecryptError) return undefined
      throw error
    }
  }

  /** Writes what a change says, and answers the fields that it set. */
  async write({ id, tenantId }: ProviderRow, change: SecretChange, trx: Knex.Transaction): Promise<readonly string[]> {
    const entries = Object.entries(change)
    for (const [field, text] of entries) {
      if (text === null) {
        await ProviderSecretRow.of(tenantId, trx).deleteById([id, field])
        continue
      }
      const sealed = this.#box.sealBound(text, bindingOf(id, field, tenantId))
      const hint = text.length < longEnough ? '…' : `…${text.slice(-shown)}`
      await ProviderSecretRow.of(tenantId, trx)
        .insert({ providerId: id, field, sealed, hint, rotatedAt: new Date() })
        .onConflict(['provider_id', 'field'])
        .merge(['sealed', 'hint', 'rotated_at'])
    }
    return entries.flatMap(([field, text]) => (text === null ? [] : [field]))
  }

  /** How the secrets of these fields are, whether they are set or not. */
  present(fields: readonly string[], rows: readonly ProviderSecretRow[]): Readonly<Record<string, PresentedSecret>> {
    const known = [...new Set([...fields, ...rows.map(({ field }) => field)])]
    return Object.fromEntries(known.map((field) => [field, this.#show(rows.find((row) => row.field === field))]))
  }

  #show(row: ProviderSecretRow | undefined): PresentedSecret {
    if (!row) return { set: false, hint: null, state: 'missing', rotated_at: null }
    const state = this.open(row) === undefined ? 'undecryptable' : 'ok'
    return { set: true, hint: row.hint, state, rotated_at: row.rotatedAt.toISOString() }
  }
}

/** As `boundBy` of the manifest has it. */
function bindingOf(providerId: string, field: string, tenantId: number): readonly string[] {
  return ['ai_provider_secrets', providerId, field, String(tenantId)]
}
