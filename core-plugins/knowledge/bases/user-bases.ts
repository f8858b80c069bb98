import type { Knex } from 'knex'
import { presentPage, type Page, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AgentDirectory } from '../../agents/contract.ts'
import { readableBy, whoReads } from './readable-by.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { presentForUser } from './present.ts'

/** What it is listed with. */
interface UserBaseParts {
  readonly db: Knex
  readonly access: Pick<Access, 'orgLineOf'>
  readonly agents: Pick<AgentDirectory, 'get'>
  readonly hasVectors: boolean
}

/** Where agents look, for those who use them. */
export class UserBases {
  readonly #parts: UserBaseParts

  constructor(parts: UserBaseParts) {
    this.#parts = parts
  }

  /** Those of an agent's that the user may read. Throws 403/4036 and 404/4047 as for the agent. */
  async list(user: Principal, agentId: string, page: Page) {
    const { db, access, agents, hasVectors } = this.#parts
    const { definition } = await agents.get(user, agentId)
    const reader = await whoReads(user, access)
    const { results, total } = await readableBy(KnowledgeBaseRow.of(user.tenantId, db), reader)
      .whereIn('ai_knowledge_bases.id', [...(definition.knowledge_base_ids ?? [])])
      .orderBy([...page.sort, { column: 'id' }])
      .page(page.page - 1, page.size)
    const items = results.map((row) => presentForUser(row, hasVectors))
    return presentPage(page, total, items)
  }
}
