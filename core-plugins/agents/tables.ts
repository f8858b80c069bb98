import { TenantModel } from '#kernel'
import type { AgentDefinition } from './contract.ts'

/** An agent with its draft. */
export class AgentRow extends TenantModel {
  static override tableName = 'ai_agents'
  static override jsonAttributes = ['draft']

  declare id: string
  declare code: string
  /** The draft's, to sort and search by. */
  declare name: string
  declare status: 'draft' | 'published'
  declare draft: AgentDefinition
  /** The draft's, to filter by. */
  declare tags: readonly string[]
  declare accessMode: 'all' | 'restricted'
  declare accessRoles: readonly string[]
  declare accessOrgs: readonly number[]
  declare accessUsers: readonly number[]
  declare activeVersion: number | null
  /** The number of the youngest version; 0 before the first. */
  declare lastVersion: number
  declare publishedAt: Date | null
  declare revision: number
  declare createdBy: number | null
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** What was published once. */
export class AgentVersionRow extends TenantModel {
  static override tableName = 'ai_agent_versions'
  static override idColumn = ['agent_id', 'version']
  static override jsonAttributes = ['definition']

  declare agentId: string
  declare version: number
  declare definition: AgentDefinition
  declare note: string
  declare createdBy: number | null
  declare createdAt: Date
}

/** When somebody used an agent last. */
export class AgentUseRow extends TenantModel {
  static override tableName = 'ai_agent_uses'
  static override idColumn = ['tenant_id', 'user_id', 'agent_id']

  declare userId: number
  declare agentId: string
  declare usedAt: Date
}
