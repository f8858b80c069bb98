import type { Knex } from 'knex'
import { presentPage, type Page, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AgentDirectory } from '../../agents/contract.ts'
import { readableBy, whoReads } from './readable-by.ts'
import { KnowledgeBaseRow } from '../tables.ts'
import { presentForUser } from './present.ts'

/** Where agents look, for those who use them. */
export class UserBases {
  readonly #db: Knex
  readonly #access: Pick<Access, 'orgLineOf'>
  readonly #agents: Pick<AgentDirectory, 'get'>

  constructor(db: Knex, access: Pick<Access, 'orgLineOf'>, agents: Pick<AgentDirectory, 'get'>) {
    this.#db = db
    this.#access = access
    this.#agents = agents
  }

  /** Those of an agent's that the user may read. Throws 403/4036 and 404/4047 as for the agent. */
  async list(user: Principal, agentId: string, page: Page) {
    const { definition } = await this.#agents.get(user, agentId)
    const reader = await whoReads(user, this.#access)
    const { results, total } = await readableBy(KnowledgeBaseRow.of(user.tenantId, this.#db), reader)
      .whereIn('ai_knowledge_bases.id', [...(definition.knowledge_base_ids ?? [])])
      .orderBy([...page.sort, { column: 'id' }])
      .page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentForUser))
  }
}
