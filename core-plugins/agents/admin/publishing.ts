import { presentPage, type Page, type Principal } from '#kernel'
import { AgentNotPublishedError, AgentVersionNotFoundError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { AgentRow, AgentVersionRow } from '../tables.ts'
import { findAgent, publishedOf } from './agent-store.ts'
import { definitionFaults } from './checks.ts'
import { presentAgent, presentVersion, type PresentedAgent } from './present.ts'
import { recordAgent } from './record-agent.ts'
import type { AgentParts, AgentWriter } from './service.ts'

/** What is published: the draft, or a version that was. */
interface PublishWish {
  readonly note?: string
  readonly version?: number
}

/** Versions of agents: made of drafts, immutable, one of them answering. */
export class Publishing {
  readonly #parts: AgentParts

  constructor(parts: AgentParts) {
    this.#parts = parts
  }

  /** Makes the draft a version, or goes back to one, which answers from the next message on. Throws 404/4040 and 422/4229. */
  async publish(id: string, { note = '', version }: PublishWish, writer: AgentWriter): Promise<PresentedAgent> {
    const { db, audit } = this.#parts
    return db.transaction(async (trx) => {
      const row = await findAgent(writer.principal, id, trx, true)
      writer.requireMatch(String(row.revision))
      const before = presentAgent(row, await publishedOf(row, trx))
      const versions = AgentVersionRow.of(row.tenantId, trx)
      const number = version ?? row.lastVersion + 1
      const kept = version === undefined ? undefined : await versions.findById([id, version])
      if (version !== undefined && !kept) throw new AgentVersionNotFoundError()
      const definition = kept?.definition ?? row.draft
      refuseFaults(await definitionFaults(definition, row.tenantId, this.#parts, trx))
      const made = { agentId: id, version: number, definition, note, createdBy: writer.principal.userId }
      const published = kept ?? (await AgentVersionRow.of(row.tenantId, trx).insert(made).returning('*'))
      const changed = await AgentRow.of(row.tenantId, trx).patchAndFetchById(id, {
        ...{ status: 'published', activeVersion: number, lastVersion: Math.max(number, row.lastVersion) },
        ...{ publishedAt: new Date(), revision: row.revision + 1, updatedAt: new Date() },
      })
      const after = presentAgent(changed, published)
      await recordAgent(audit, kept ? 'rolled_back' : 'published', writer, id, { before, after }, trx)
      return after
    })
  }

  /** Takes it back: nobody can use it until it is published again. Throws 409/4094 where it is not published. */
  async unpublish(id: string, writer: AgentWriter): Promise<PresentedAgent> {
    const { db, audit } = this.#parts
    return db.transaction(async (trx) => {
      const row = await findAgent(writer.principal, id, trx, true)
      writer.requireMatch(String(row.revision))
      if (row.status !== 'published') throw new AgentNotPublishedError()
      const before = presentAgent(row, await publishedOf(row, trx))
      const changed = await AgentRow.of(row.tenantId, trx).patchAndFetchById(id, {
        ...{ status: 'draft', activeVersion: null, revision: row.revision + 1, updatedAt: new Date() },
      })
      const after = presentAgent(changed, undefined)
      await recordAgent(audit, 'unpublished', writer, id, { before, after }, trx)
      return after
    })
  }

  /** Youngest first, or the one that is asked for. */
  async versions(reader: Principal, id: string, page: Page, version?: number) {
    const row = await findAgent(reader, id, this.#parts.db)
    const { results, total } = await AgentVersionRow.of(row.tenantId, this.#parts.db)
      .where({ agent_id: id, ...(version !== undefined && { version }) })
      .orderBy('version', 'desc')
      .page(page.page - 1, page.size)
    return presentPage(
      page,
      total,
      results.map((version) => presentVersion(version, row)),
    )
  }
}
