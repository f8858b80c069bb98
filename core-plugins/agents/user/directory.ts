import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import { PermissionDeniedError, presentPage, type Locale, type Page, type Principal } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { AgentDirectory, AgentName, PublishedAgent, UsableAgent } from '../contract.ts'
import { findAgent } from '../admin/agent-store.ts'
import { AgentNotFoundError } from '../errors.ts'
import { AgentRow, AgentUseRow, AgentVersionRow } from '../tables.ts'
import type { ToolOffers } from '../tool-offers.ts'
import { presentForUser } from './present.ts'

const mostUsable = 1_000

/** What the user area stands on. */
interface DirectoryParts {
  readonly db: Knex
  readonly access: Pick<Access, 'orgLineOf'>
  readonly gateway: Pick<AiGateway, 'demandOpen' | 'find'>
  readonly tools: Pick<ToolOffers, 'list'>
}

type FoundAgent = AgentRow & Pick<AgentVersionRow, 'version' | 'definition'>

/** Published agents, for those who may use them. */
export class Directory implements AgentDirectory {
  readonly #parts: DirectoryParts

  constructor(parts: DirectoryParts) {
    this.#parts = parts
  }

  async get(user: Principal, agent: string): Promise<PublishedAgent> {
    const permission = 'user_agent:chat'
    await this.#parts.gateway.demandOpen(user.tenantId)
    if (!user.can(permission)) throw new PermissionDeniedError({ permission }, { details: { permission } })
    // Most agents are for everybody, or a role: the organisation is asked about the others only.
    const found = (await this.#find(user, agent, [])) ?? (await this.#find(user, agent, await this.#orgsOf(user)))
    if (!found) throw new AgentNotFoundError()
    return answering(found, found)
  }

  async usable(user: Principal): Promise<readonly UsableAgent[]> {
    await this.#parts.gateway.demandOpen(user.tenantId)
    if (!user.can('user_agent:chat')) return []
    const rows = await this.#visibleTo(user, await this.#orgsOf(user))
      .orderBy('code')
      .limit(mostUsable)
    const versions = await this.#versionsOf(rows, user.tenantId)
    return rows.flatMap((row) => {
      const version = versions.get(row.id)
      return version ? [{ ...answering(row, version), publishedAt: row.publishedAt ?? version.createdAt }] : []
    })
  }

  async draft(administrator: Principal, agentId: string): Promise<PublishedAgent> {
    const row = await findAgent(administrator, agentId, this.#parts.db)
    return answering(row, { version: 0, definition: row.draft })
  }

  async names(tenantId: number, ids: readonly string[]): Promise<ReadonlyMap<string, AgentName>> {
    if (ids.length === 0) return new Map()
    const rows = await AgentRow.of(tenantId, this.#parts.db).whereIn('id', [...new Set(ids)])
    const versions = await this.#versionsOf(rows, tenantId)
    return new Map(
      rows.map(({ id, draft }) => {
        const { name, avatar_url } = versions.get(id)?.definition ?? draft
        return [id, { id, name, avatar_url }]
      }),
    )
  }

  async noteUse({ tenantId, userId }: Principal, agentId: string): Promise<void> {
    const use = { userId, agentId, usedAt: new Date() }
    await AgentUseRow.of(tenantId, this.#parts.db)
      .insert(use)
      .onConflict(['tenant_id', 'user_id', 'agent_id'])
      .merge(['used_at'])
  }

  /** The agents that a user may use, by name. Throws 403/4036 where AI is switched off. */
  async list(
    user: Principal,
    page: Page,
    { id, tag }: { readonly id?: string; readonly tag?: string },
    locale: Locale,
  ) {
    await this.#parts.gateway.demandOpen(user.tenantId)
    const query = this.#visibleTo(user, await this.#orgsOf(user))
    const { pattern } = page
    const said = `(select definition from ai_agent_versions said where said.agent_id = ai_agents.id and said.version = ai_agents.active_version)`
    if (id !== undefined) void query.where({ id })
    if (tag !== undefined) void query.whereRaw(`${said}->'tags' @> jsonb_build_array(?::text)`, [tag])
    if (pattern !== undefined) {
      void query.whereRaw(`(${said}->>'name' ilike ? or ${said}->>'description' ilike ? or code ilike ?)`, [
        ...[pattern, pattern, pattern],
      ])
    }
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const versions = await this.#versionsOf(results, user.tenantId)
    const uses = await this.#usesOf(user, results)
    const tools = await this.#parts.tools.list(user.tenantId, this.#parts.db)
    const items = results.flatMap((row) => {
      const version = versions.get(row.id)
      if (!version) return []
      const model = this.#parts.gateway.find(version.definition.model, user.tenantId)
      return [presentForUser(row, version, { model, tools, usedAt: uses.get(row.id), locale })]
    })
    return presentPage(page, total, items)
  }

  /** Published, and for everybody, a role of the user's, a node of the user's or above it, or the user. */
  #visibleTo({ tenantId, userId, roles }: Principal, orgs: readonly number[]): QueryBuilderType<AgentRow> {
    return AgentRow.of(tenantId, this.#parts.db)
      .where({ status: 'published' })
      .whereNull('deleted_at')
      .whereRaw(
        `(access_mode = 'all' or access_roles && ?::text[] or access_orgs && ?::int[] or access_users && ?::int[])`,
        [[...roles], [...orgs], [userId]],
      )
  }

  /** One that the user may use, by id or code, with its active version. */
  async #find(user: Principal, agent: string, orgs: readonly number[]): Promise<FoundAgent | undefined> {
    const found = await this.#visibleTo(user, orgs)
      .joinRaw('join ai_agent_versions active on active.agent_id = ai_agents.id and active.version = active_version')
      .where((either) => void either.where('id', agent).orWhere('code', agent))
      .select('ai_agents.*', 'active.version', 'active.definition')
      .first()
    return found as FoundAgent | undefined
  }

  #orgsOf({ tenantId, userId }: Principal): Promise<readonly number[]> {
    return this.#parts.access.orgLineOf(tenantId, userId)
  }

  async #versionsOf(rows: readonly AgentRow[], tenantId: number): Promise<ReadonlyMap<string, AgentVersionRow>> {
    const active = rows.filter(({ activeVersion }) => activeVersion !== null)
    if (active.length === 0) return new Map()
    const found = await AgentVersionRow.of(tenantId, this.#parts.db).whereRaw(
      '(agent_id, version) in (select * from unnest(?::text[], ?::int[]))',
      [active.map(({ id }) => id), active.map(({ activeVersion }) => activeVersion)],
    )
    return new Map(found.map((row) => [row.agentId, row]))
  }

  async #usesOf(user: Principal, rows: readonly AgentRow[]): Promise<ReadonlyMap<string, Date>> {
    const ids = rows.map(({ id }) => id)
    const uses = await AgentUseRow.of(user.tenantId, this.#parts.db)
      .where({ user_id: user.userId })
      .whereIn('agent_id', ids)
    return new Map(uses.map(({ agentId, usedAt }) => [agentId, usedAt]))
  }
}

function answering(
  { id, tenantId, code }: AgentRow,
  { version, definition }: Pick<AgentVersionRow, 'version' | 'definition'>,
): PublishedAgent {
  return { id, tenantId, code, version, definition }
}
