import type { McpServerRow, McpToolRow, StoredAuth } from '../tables.ts'
import { headerField, type SecretChange } from '../use/server-secrets.ts'

/** A tool that agents may use. */
export interface AllowedTool {
  readonly name: string
  readonly effect?: McpToolRow['effect']
  readonly confirm?: McpToolRow['confirm']
}

/** What may be said of a server; what is absent stays. */
export interface ServerChange {
  readonly name?: string
  readonly url?: string
  readonly headers?: SecretChange
  readonly auth?: StoredAuth['type']
  readonly credentials?: { readonly token?: string | null; readonly client_secret?: string | null }
  readonly oauth?: { readonly token_url: string; readonly client_id: string; readonly scope?: string }
  readonly tools?: readonly (string | AllowedTool)[]
  readonly timeout_ms?: number
  readonly status?: 'enabled' | 'disabled'
}

/** A server to be made. */
export interface NewServer extends ServerChange {
  readonly name: string
  readonly url: string
  readonly tenant_id?: number | null
}

/** What an administrator changes of a row. */
type Columns = Pick<McpServerRow, 'name' | 'url' | 'auth' | 'timeoutMs' | 'status'>

/** Of a server of which nothing was said. */
export const usualColumns = { auth: { type: 'none' }, timeoutMs: 10_000, status: 'enabled' } as const

/** The columns as they are with a change; undefined for OAuth of which nothing is known. */
export function columnsOf(before: Partial<Columns>, wish: ServerChange): Partial<Columns> | undefined {
  const { name, url, timeout_ms: timeoutMs, status } = wish
  const auth = authOf(before.auth ?? usualColumns.auth, wish)
  if (!auth) return undefined
  const given = Object.entries({ name, url, timeoutMs, status }).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given), auth }
}

/** The secrets that a change sets and clears, by field. */
export function secretsOf({ headers = {}, credentials = {} }: ServerChange): SecretChange {
  const named = Object.entries(headers).map(([name, value]) => [headerField(name), value] as const)
  return { ...Object.fromEntries(named), ...credentials }
}

/** The tools of a list, each once. */
export function allowedTools(tools: NonNullable<ServerChange['tools']>): ReadonlyMap<string, AllowedTool> {
  return new Map(tools.map((tool) => (typeof tool === 'string' ? [tool, { name: tool }] : [tool.name, tool])))
}

function authOf(before: StoredAuth, { auth = before.type, oauth }: ServerChange): StoredAuth | undefined {
  if (auth !== 'oauth_client_credentials') return { type: auth }
  if (oauth) return { type: auth, ...oauth }
  return before.type === auth ? before : undefined
}
