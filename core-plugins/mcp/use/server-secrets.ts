import type { Knex } from 'knex'
import { DecryptError, type SecretBox } from '#kernel'
import { McpSecretRow, type McpServerRow } from '../tables.ts'

/** What is shown of a secret. */
interface PresentedSecret {
  readonly set: boolean
  readonly hint: string | null
  readonly state: 'ok' | 'undecryptable' | 'missing'
  readonly rotated_at: string | null
}

/** Values by field: a text sets, null clears, what is absent stays. */
export type SecretChange = Readonly<Record<string, string | null>>

const headerPrefix = 'header:'
const longEnough = 12
const shown = 4

/** The field of a header's value. */
export function headerField(name: string): string {
  return headerPrefix + name.toLowerCase()
}

/** The header that a field is the value of; undefined for another secret. */
export function headerOf(field: string): string | undefined {
  return field.startsWith(headerPrefix) ? field.slice(headerPrefix.length) : undefined
}

/** Where a secret of a server is sent: the only origin that it is ever sent to. */
export function destinationOf(field: string, { url, auth }: Pick<McpServerRow, 'url' | 'auth'>): string {
  const isForTokens = field === 'client_secret' && auth.type === 'oauth_client_credentials'
  return new URL(isForTokens ? auth.token_url : url).origin
}

/** The secrets of servers: written, shown by a hint, opened for calls to where they belong alone. */
export class ServerSecrets {
  readonly #box: Pick<SecretBox, 'sealBound' | 'openBound'>

  constructor(box: Pick<SecretBox, 'sealBound' | 'openBound'>) {
    this.#box = box
  }

  /** Those of some servers, by server. */
  async of(ids: readonly string[], db: Knex): Promise<ReadonlyMap<string, readonly McpSecretRow[]>> {
    const rows = await McpSecretRow.acrossTenants(db)
      .whereIn('server_id', [...ids])
      .orderBy('field')
    return Map.groupBy(rows, ({ serverId }) => serverId)
  }

  /** The plain text; undefined where no key opens it for this row, and where it belongs to another place than the server is at. */
  open(row: McpSecretRow, server: McpServerRow): string | undefined {
    if (row.boundTo !== destinationOf(row.field, server)) return undefined
    try {
      return this.#box.openBound(row.sealed, bindingOf(row))
    } catch (error) {
      if (error instanceof DecryptError) return undefined
      throw error
    }
  }

  /** Writes what a change says. */
  async write(server: McpServerRow, change: SecretChange, trx: Knex.Transaction): Promise<void> {
    const { id: serverId, tenantId } = server
    for (const [field, text] of Object.entries(change)) {
      if (text === null) {
        await McpSecretRow.of(tenantId, trx).deleteById([serverId, field])
        continue
      }
      const place = { serverId, field, tenantId, boundTo: destinationOf(field, server) }
      const sealed = this.#box.sealBound(text, bindingOf(place))
      const hint = text.length < longEnough ? '…' : `…${text.slice(-shown)}`
      await McpSecretRow.of(tenantId, trx)
        .insert({ ...place, sealed, hint, rotatedAt: new Date() })
        .onConflict(['server_id', 'field'])
        .merge(['bound_to', 'sealed', 'hint', 'rotated_at'])
    }
  }

  /** How the secret of a field is, whether it is set or not. */
  present(field: string, rows: readonly McpSecretRow[], server: McpServerRow): PresentedSecret {
    const row = rows.find((each) => each.field === field)
    if (!row) return { set: false, hint: null, state: 'missing', rotated_at: null }
    const state = this.open(row, server) === undefined ? 'undecryptable' : 'ok'
    return { set: true, hint: row.hint, state, rotated_at: row.rotatedAt.toISOString() }
  }
}

/** As `boundBy` of the manifest has it. */
function bindingOf({
  serverId,
  field,
  tenantId,
  boundTo,
}: Pick<McpSecretRow, 'serverId' | 'field' | 'tenantId' | 'boundTo'>): readonly string[] {
  return ['ai_mcp_secrets', serverId, field, String(tenantId), boundTo]
}
