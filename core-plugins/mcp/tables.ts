import { TenantModel } from '#kernel'

/** How the platform proves to a server who it is; secrets apart. */
export type StoredAuth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer' }
  | {
      readonly type: 'oauth_client_credentials'
      readonly token_url: string
      readonly client_id: string
      readonly scope?: string
    }

/** What became of the last look at a server's tools. */
interface StoredLook {
  readonly at: string
  readonly ok: boolean
  readonly code?: number
  readonly reason?: string
  readonly message?: string
}

/** A server of tools, of the platform (tenant 0) or of a tenant. */
export class McpServerRow extends TenantModel {
  static override tableName = 'ai_mcp_servers'
  static override jsonAttributes = ['auth', 'info', 'lastLook']

  declare id: string
  /** Stands in the names of its tools. */
  declare name: string
  declare url: string
  declare auth: StoredAuth
  declare timeoutMs: number
  declare status: 'enabled' | 'disabled'
  /** The revision that it was last spoken to in; null before. */
  declare revision: string | null
  /** How it names itself, for administrators to see. */
  declare info: { readonly name?: string; readonly version?: string } | null
  declare lastLook: StoredLook | null
  declare version: number
  declare createdBy: number | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A secret of a server, sealed for its row and the origin that it is sent to. */
export class McpSecretRow extends TenantModel {
  static override tableName = 'ai_mcp_secrets'
  static override idColumn = ['server_id', 'field']

  declare serverId: string
  /** `token`, `client_secret`, or `header:` and a header's name. */
  declare field: string
  /** Such as `https://tools.example.com`. */
  declare boundTo: string
  declare sealed: string
  declare hint: string
  declare rotatedAt: Date
}

/** What a server says of a tool. */
export interface ToolDefinition {
  readonly title: string
  readonly description: string
  readonly input_schema: Readonly<Record<string, unknown>>
}

/** A tool of a server: as it is, and as it was approved. */
export class McpToolRow extends TenantModel {
  static override tableName = 'ai_mcp_tools'
  static override idColumn = ['server_id', 'name']
  static override jsonAttributes = ['definition', 'approved']

  declare serverId: string
  declare name: string
  /** Null of one that was allowed and never seen. */
  declare definition: ToolDefinition | null
  declare hash: string | null
  /** Whether the server had it when it was last asked. */
  declare present: boolean
  /** Why it cannot be used, whatever anybody approves. */
  declare unfit: string | null
  declare allowed: boolean
  declare approved: ToolDefinition | null
  declare approvedHash: string | null
  declare approvedBy: number | null
  declare approvedAt: Date | null
  declare effect: 'read' | 'write' | 'external'
  declare confirm: 'never' | 'write' | 'always'
}
