/** A tool as an agent names it. */
export interface NamedTool {
  readonly plugin: string
  readonly name: string
  readonly always_confirm?: boolean
}

/** A tool that agents may be given. */
export interface ToolOffer {
  readonly plugin: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly source: { readonly kind: 'plugin' | 'mcp'; readonly title: string }
  readonly effect: 'read' | 'write' | 'external'
  readonly confirm: 'never' | 'write' | 'always'
  readonly permission: string | null
  readonly state: 'on' | 'awaiting_approval' | 'changed' | 'gone' | 'unfit'
}

/** What an agent is made of. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly instructions: string
  readonly model: string
  readonly temperature: number | null
  readonly max_output_tokens: number | null
  readonly opening_message: string
  readonly suggested_questions: readonly string[]
  readonly tools: readonly NamedTool[]
  readonly knowledge_base_ids?: readonly string[]
  readonly memory?: {
    readonly enabled: boolean
    readonly extract: boolean
    readonly tool: boolean
    readonly scope: 'user' | 'agent'
  }
  /** Null is a field that was emptied: there has to be one. */
  readonly max_steps: number | null
  readonly show_reasoning: boolean
}

/** Who may use something. */
export interface AccessRule {
  readonly mode: 'all' | 'restricted'
  readonly roles: readonly string[]
  readonly org_ids: readonly number[]
  readonly user_ids: readonly number[]
}

/** An agent with its draft. */
export interface Agent {
  readonly id: string
  readonly code: string
  readonly status: 'draft' | 'published'
  readonly draft: AgentDefinition
  readonly access: AccessRule
  readonly active_version: number | null
  readonly changed: boolean
  readonly published_at: string | null
}

/** An agent as lists show one. */
export interface AgentRow {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly description: string
  readonly avatar_url: string | null
  readonly model: string
  readonly status: string
  readonly access_mode: string
  readonly active_version: number | null
}
