import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { createSortableId, presentPage, whatIsGiven, type Page, type Principal, type TenantResolver } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { AgentDefinition } from '../contract.ts'
import { refuseFaults } from '../faults.ts'
import { AgentRow } from '../tables.ts'
import { agentsFor, findAgent, ownerOf, publishedOf, takenCode, whereToolsOf } from './agent-store.ts'
import { accessFaults, draftFaults, type CheckParts } from './checks.ts'
import { presentAgent, presentFile, presentListed, type PresentedAgent } from './present.ts'
import { recordAgent } from './record-agent.ts'
import {
  accessColumns,
  changedDraft,
  draftColumns,
  newDraft,
  type AgentAccess,
  type AgentFile,
  type AgentWish,
  type NewAgent,
} from './wishes.ts'

/** What agents need of the rest. */
export interface AgentParts extends CheckParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
}

/** Which agents a list shows; what is left out does not matter. */
interface AgentFilter {
  readonly status?: AgentRow['status']
  readonly access_mode?: AgentRow['accessMode']
  readonly code?: string
  readonly tag?: string
  readonly tenant_id?: number
  readonly tools_of?: string
}

/** Who writes, and which version they have seen. */
export interface AgentWriter extends Writer {
  requireMatch(etag: string): void
}

/** Agents, as administrators have them. */
export class AgentService {
  readonly #parts: AgentParts

  constructor(parts: AgentParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, { tag, tools_of: holder, ...filter }: AgentFilter) {
    const { status, access_mode, code, tenant_id } = filter
    const given = whatIsGiven<string | number>({ status, access_mode, code, tenant_id })
    const query = agentsFor(reader, this.#parts.db).where(given)
    if (tag !== undefined) void query.whereRaw('tags @> array[?]::text[]', [tag])
    if (holder !== undefined) void query.where((or) => whereToolsOf(or, holder))
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((or) => void or.whereILike('name', pattern).orWhereILike('code', pattern))
    }
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    return presentPage(page, total, results.map(presentListed))
  }

  /** Throws 404/4047, also for one of another tenant. */
  async get(reader: Principal, id: string): Promise<PresentedAgent> {
    const { db } = this.#parts
    const row = await findAgent(reader, id, db)
    return presentAgent(row, await publishedOf(row, db))
  }

  async create(wish: NewAgent, writer: Writer): Promise<PresentedAgent> {
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, this.#parts.tenants)
    return this.#insert(tenantId, wish.code, newDraft(wish), wish.access ?? { mode: 'all' }, writer, 'created')
  }

  /** A draft of its own with all that another one's says. */
  async duplicate(id: string, said: { readonly code: string; readonly name?: string }, writer: Writer) {
    const { tenantId, draft, ...row } = await findAgent(writer.principal, id, this.#parts.db)
    const { accessMode: mode, accessRoles: roles, accessOrgs: org_ids, accessUsers: user_ids } = row
    const copy = { ...draft, name: said.name ?? draft.name }
    return this.#insert(tenantId, said.code, copy, { mode, roles, org_ids, user_ids }, writer, 'duplicated')
  }

  /** The draft as a file, with its name. */
  async export(reader: Principal, id: string): Promise<{ readonly name: string; readonly file: AgentFile }> {
    const row = await findAgent(reader, id, this.#parts.db)
    return { name: `${row.code}.agent.json`, file: presentFile(row) }
  }

  /** A draft made of a file; for nobody but administrators until somebody says for whom. */
  async import(
    {
      file,
      code,
      tenant_id: wanted,
    }: { readonly file: AgentFile; readonly code?: string; readonly tenant_id?: number },
    writer: Writer,
  ): Promise<PresentedAgent> {
    const tenantId = await ownerOf(writer.principal, wanted, this.#parts.tenants)
    return this.#insert(tenantId, code ?? file.code, file.agent, { mode: 'restricted' }, writer, 'imported')
  }

  /** Changes the draft, which nobody chats with, and who may use the agent, which holds at once. */
  async update(id: string, wish: AgentWish, writer: AgentWriter): Promise<PresentedAgent> {
    const { db } = this.#parts
    const { tenantId } = await findAgent(writer.principal, id, db)
    refuseFaults([...draftFaults(wish), ...(wish.access ? await accessFaults(wish.access, tenantId, this.#parts) : [])])
    return db.transaction(async (trx) => {
      const row = await findAgent(writer.principal, id, trx, true)
      writer.requireMatch(String(row.revision))
      const columns = {
        ...(wish.code !== undefined && { code: wish.code }),
        ...draftColumns(changedDraft(row.draft, wish)),
        ...(wish.access && accessColumns(wish.access)),
      }
      const published = await publishedOf(row, trx)
      const before = presentAgent(row, published)
      if (isDeepStrictEqual({ ...row, ...columns }, { ...row })) return before
      const changed = await AgentRow.of(row.tenantId, trx)
        .patchAndFetchById(id, { ...columns, revision: row.revision + 1, updatedAt: new Date() })
        .catch(takenCode)
      const after = presentAgent(changed, published)
      await recordAgent(this.#parts.audit, 'updated', writer, id, { before, after }, trx)
      return after
    })
  }

  /** Nobody can use it any more; conversations that were keep its name. */
  async delete(id: string, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await findAgent(writer.principal, id, trx, true)
      const before = presentAgent(row, await publishedOf(row, trx))
      const end = { deletedAt: new Date(), status: 'draft' as const, revision: row.revision + 1 }
      await AgentRow.of(row.tenantId, trx).findById(id).patch(end)
      await recordAgent(this.#parts.audit, 'deleted', writer, id, { before }, trx)
    })
  }

  async #insert(
    tenantId: number,
    code: string,
    draft: AgentDefinition,
    access: AgentAccess,
    writer: Writer,
    what: string,
  ): Promise<PresentedAgent> {
    refuseFaults([...draftFaults(draft), ...(await accessFaults(access, tenantId, this.#parts))])
    const createdBy = writer.principal.userId
    return this.#parts.db.transaction(async (trx) => {
      const columns = { id: createSortableId('agt'), code, status: 'draft' as const, createdBy }
      const row = await AgentRow.of(tenantId, trx)
        .insert({ ...columns, ...draftColumns(draft), ...accessColumns(access) })
        .returning('*')
        .catch(takenCode)
      const after = presentAgent(row, undefined)
      await recordAgent(this.#parts.audit, what, writer, row.id, { after }, trx)
      return after
    })
  }
}
