import type { AgentDefinition } from '../contract.ts'
import type { AgentRow } from '../tables.ts'

/** Who may use an agent, as the wire has it. */
export interface AgentAccess {
  readonly mode: AgentRow['accessMode']
  readonly roles?: readonly string[]
  readonly org_ids?: readonly number[]
  readonly user_ids?: readonly number[]
}

/** What may be said of an agent. */
export interface AgentWish extends Partial<AgentDefinition> {
  readonly code?: string
  readonly access?: AgentAccess
}

/** An agent to be made. */
export interface NewAgent extends AgentWish {
  readonly code: string
  readonly name: string
  readonly model: string
  readonly tenant_id?: number
}

/** An agent as one file; holds no secret, nor who may use it, which means nothing elsewhere. */
export interface AgentFile {
  readonly format: 'stoa.agent'
  readonly format_version: 1
  readonly code: string
  readonly agent: AgentDefinition
}

const usual: Omit<AgentDefinition, 'name' | 'model'> = {
  ...{ description: '', avatar_url: null, tags: [], opening_message: '', suggested_questions: [], instructions: '' },
  ...{ temperature: null, max_output_tokens: null, tools: [], max_steps: 8 },
  ...{ show_reasoning: false, generate_titles: true },
}

/** A first draft. */
export function newDraft(wish: NewAgent): AgentDefinition {
  return { ...usual, name: wish.name, model: wish.model, ...saidOf(wish) }
}

/** The draft with what was said of it. */
export function changedDraft(draft: AgentDefinition, wish: AgentWish): AgentDefinition {
  return { ...draft, ...saidOf(wish) }
}

/** What a wish says of the definition. */
function saidOf(wish: AgentWish): Partial<AgentDefinition> {
  const beside: readonly string[] = ['code', 'access', 'tenant_id']
  return Object.fromEntries(Object.entries(wish).filter(([field]) => !beside.includes(field)))
}

/** The columns that follow from a draft. */
export function draftColumns(draft: AgentDefinition) {
  return { draft, name: draft.name, tags: [...draft.tags] }
}

/** The columns that say who may use it. */
export function accessColumns({ mode, roles = [], org_ids: orgs = [], user_ids: users = [] }: AgentAccess) {
  const isForAll = mode === 'all'
  return {
    accessMode: mode,
    accessRoles: isForAll ? [] : [...roles],
    accessOrgs: isForAll ? [] : [...orgs],
    accessUsers: isForAll ? [] : [...users],
  }
}
