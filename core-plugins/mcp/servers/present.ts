import type { McpSecretRow, McpServerRow, McpToolRow } from '../tables.ts'
import { callNameOf } from '../tools/tool-name.ts'
import { diffOf, stateOf } from '../tools/tool-state.ts'
import { headerOf, type ServerSecrets } from '../use/server-secrets.ts'

/** A server as administrators see it: of secrets only how they are. */
export function presentServer(
  row: McpServerRow,
  sealed: readonly McpSecretRow[],
  tools: readonly McpToolRow[],
  secrets: ServerSecrets,
) {
  const { auth, tenantId } = row
  const headers = sealed.flatMap(({ field }) => {
    const name = headerOf(field)
    return name === undefined ? [] : [[name, secrets.present(field, sealed, row)] as const]
  })
  const wanted = { none: [], bearer: ['token'], oauth_client_credentials: ['client_secret'] }[auth.type]
  const states = tools.map(stateOf)
  const count = (...wished: readonly string[]): number => states.filter((state) => wished.includes(state)).length
  return {
    ...{ id: row.id, name: row.name },
    ...{
      scope: tenantId === 0 ? ('platform' as const) : ('tenant' as const),
      tenant_id: tenantId === 0 ? null : tenantId,
    },
    ...{ url: row.url, headers: Object.fromEntries(headers), auth: auth.type },
    credentials: Object.fromEntries(wanted.map((field) => [field, secrets.present(field, sealed, row)])),
    oauth: oauthOf(auth),
    ...{ timeout_ms: row.timeoutMs, status: row.status, revision: row.revision, server_info: row.info ?? {} },
    last_look: row.lastLook,
    tool_counts: {
      ...{ on: count('on'), allowed: tools.filter(({ allowed }) => allowed).length },
      waiting: count('awaiting_approval', 'changed'),
    },
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** A tool as administrators see it: as it is now, and what of it is another than it was approved. */
export function presentTool(server: McpServerRow, tool: McpToolRow) {
  const now = tool.definition ?? { title: tool.name, description: '', input_schema: {} }
  return {
    ...{ name: tool.name, call_name: callNameOf(server.name, tool.name), ...now },
    ...{ state: stateOf(tool), unfit: tool.unfit, allowed: tool.allowed, effect: tool.effect, confirm: tool.confirm },
    ...{ hash: tool.hash, approved_hash: tool.approvedHash, approved_at: tool.approvedAt?.toISOString() ?? null },
    diff: diffOf(tool.approved, tool.definition),
  }
}

/** What `presentServer` and `presentTool` make together. */
export type PresentedServer = ReturnType<typeof presentServer> & {
  readonly tools: readonly ReturnType<typeof presentTool>[]
}

function oauthOf(auth: McpServerRow['auth']) {
  if (auth.type !== 'oauth_client_credentials') return null
  const { token_url, client_id, scope } = auth
  return { token_url, client_id, ...(scope !== undefined && { scope }) }
}
