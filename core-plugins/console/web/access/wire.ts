/** How far the holder of a role sees. */
export type ScopeName = 'ALL' | 'ORG_AND_CHILDREN' | 'ORG_ONLY' | 'CUSTOM' | 'SELF'

/** Nodes that a scope names. */
export interface ScopeOrgs {
  readonly org_ids: readonly number[]
  readonly with_children?: boolean
}

/** A role as the server tells it. */
export interface Role {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly system: boolean
  readonly status: string
  readonly permissions: readonly string[]
  readonly data_scope: ScopeName
  readonly data_scope_orgs: ScopeOrgs | null
  readonly data_scopes: Readonly<Record<string, { readonly scope: ScopeName }>>
  readonly updated_at?: string
}

/** What may be done with one kind of thing. */
export interface Resource {
  readonly resource: string
  readonly scope: string
  readonly plugin: string
  readonly data_scoped: boolean
  readonly actions: readonly {
    readonly action: string
    readonly permission: string
    readonly title: string
    readonly grantable: boolean
  }[]
}

/** Somebody in a line of the log. */
export interface Actor {
  readonly scope: string
  readonly user_id: number
  readonly name?: string | null
}

/** One line of the log of administrative writes. */
export interface AuditLine {
  readonly id: number
  readonly actor: Actor | null
  readonly acting: Actor | null
  readonly action: string
  readonly target: string
  readonly target_name: string | null
  readonly before: unknown
  readonly after: unknown
  readonly trace_id: string | null
  readonly created_at: string
}

/** A node of the organisation. */
export interface OrgNode {
  readonly id: number
  readonly parent_id: number | null
  readonly code?: string | null
  readonly name: string
  readonly sort?: number
  readonly leader_id?: number | null
  readonly status?: string
  readonly has_children: boolean
  readonly children: readonly OrgNode[]
  /** What a move of it takes along, where that was asked for. */
  readonly counts?: { readonly nodes: number; readonly people: number }
}
