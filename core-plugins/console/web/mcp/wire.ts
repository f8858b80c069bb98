/** How the platform proves to a server who it is. */
export type McpAuth = 'none' | 'bearer' | 'oauth_client_credentials'

interface SecretState {
  readonly set: boolean
  readonly hint: string | null
  readonly state: string
}

/** A server of tools, as lists show one. */
export interface McpServerRow {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly auth: McpAuth
  readonly timeout_ms: number
  readonly status: 'enabled' | 'disabled'
  readonly tenant_id: number | null
  readonly headers: Readonly<Record<string, SecretState>>
  readonly credentials: Readonly<Record<string, SecretState>>
  readonly oauth: { readonly token_url: string; readonly client_id: string; readonly scope?: string } | null
  readonly revision: string | null
  readonly server_info: { readonly name?: string; readonly version?: string }
  readonly last_look: { readonly at: string; readonly ok: boolean; readonly message?: string } | null
  readonly tool_counts: { readonly on: number; readonly allowed: number; readonly waiting: number }
}

/** What a tool does, as somebody said who allowed it. */
export type McpEffect = 'read' | 'write' | 'external'
/** When the user is asked before a call. */
export type McpConfirm = 'never' | 'write' | 'always'

/** A tool of a server: as it is, and what of it is another than was approved. */
export interface McpTool {
  readonly name: string
  readonly call_name: string
  readonly title: string
  readonly description: string
  readonly input_schema: unknown
  readonly state: string
  readonly unfit: string | null
  readonly allowed: boolean
  readonly effect: McpEffect
  readonly confirm: McpConfirm
  readonly hash: string | null
  readonly diff: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[]
}

/** A server with its tools. */
export interface McpServer extends McpServerRow {
  readonly tools: readonly McpTool[]
}

/** What a test found. */
export interface McpTest {
  readonly ok: boolean
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly ms: number
    readonly detail?: string
  }[]
  readonly revision: string | null
  readonly server_info: { readonly name?: string; readonly version?: string }
  readonly tools: readonly string[]
}

/** Where servers are administered. */
export const serversPath = '/admin/ai/mcp-servers'
