import type { Knex } from 'knex'
import { AppError } from '#kernel'
import type { ToolOutcome } from '../../plugin-offers/contract.ts'
import { McpToolFailedError, McpToolOffError } from '../errors.ts'
import { markedParams, paramHeaders } from '../peer/param-headers.ts'
import { McpServerRow, McpToolRow, type ToolDefinition } from '../tables.ts'
import { argumentFaults } from '../tools/check-argument.ts'
import { resultText } from '../tools/result-text.ts'
import { stateOf } from '../tools/tool-state.ts'
import type { Looker } from './looker.ts'
import type { PeerBook } from './peer-book.ts'

/** A tool that can be called, as it was approved. */
export interface UsableTool {
  readonly server: McpServerRow
  readonly tool: McpToolRow
  readonly definition: ToolDefinition
}

/** What is told of a tool where many are listed. */
interface ToldTool {
  readonly title: string
  readonly description: string
}

/** A tool that somebody allowed, with the name of its server. */
interface AllowedTool {
  readonly server: string
  readonly tool: McpToolRow & ToldTool
}

/** A tool by its server's name and its own. */
interface WantedTool {
  readonly server: string
  readonly name: string
}

/** What calls stand on. */
interface CallParts {
  readonly db: Knex
  readonly peers: Pick<PeerBook, 'with'>
  readonly looker: Pick<Looker, 'demandFresh' | 'refresh'>
}

/** So old may what is known of a server's tools be when one of them is called. */
const freshMs = 60_000
const longestFault = 2_000
/** Of descriptions, which strangers write, lists tell so many characters. */
const longestToldDescription = 300
const useColumns = [
  ...['server_id', 'tenant_id', 'name', 'hash', 'present', 'unfit', 'allowed', 'approved_hash'],
  ...['effect', 'confirm'],
]

/** Tools of servers for those who call them. */
export class ToolCalls {
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  /**
   * The tools of these names that are on, of a tenant's servers and the platform's; of two servers of one name the tenant's. Nothing is read of
   * tools of other names, of which strangers may have written much.
   */
  async usable(tenantId: number, wanted: readonly WantedTool[]): Promise<readonly UsableTool[]> {
    const { db } = this.#parts
    const servers = await serversOf(tenantId, db)
    const found = await toolsOf(servers, db)
      .whereIn(
        'name',
        wanted.map(({ name }) => name),
      )
      .select(...useColumns, 'approved')
    return onlyOn(servers, found).flatMap(({ server, tool }) => {
      const isWanted = wanted.some((wish) => wish.server === server.name && wish.name === tool.name)
      return isWanted && tool.approved ? [{ server, tool, definition: tool.approved }] : []
    })
  }

  /** All that somebody allowed, on or not, as they were approved; of what nobody approved only the name. */
  async allowed(tenantId: number, db: Knex): Promise<readonly AllowedTool[]> {
    const servers = await serversOf(tenantId, db)
    const said = db.raw(
      `coalesce(approved->>'title', name) as title, left(coalesce(approved->>'description', ''), ?) as description`,
      [longestToldDescription],
    )
    const found = (await toolsOf(servers, db).select(...useColumns, said)) as (McpToolRow & ToldTool)[]
    return found.flatMap((tool) => {
      const server = servers.find(({ id }) => id === tool.serverId)
      return server ? [{ server: server.name, tool }] : []
    })
  }

  /** Looks at servers again in nobody's time. */
  refresh(servers: Iterable<McpServerRow>): void {
    for (const server of servers) this.#parts.looker.refresh(server, freshMs)
  }

  /**
   * Calls a tool if it still is what it was offered as: on, approved, and not another one at the server by now. A failure is a value;
   * throws only where nobody waits any more.
   */
  async call({ server, tool, definition }: UsableTool, input: unknown, signal: AbortSignal): Promise<ToolOutcome> {
    const errors = argumentFaults(definition.input_schema, input)
    if (errors.length > 0)
      return { ok: false, code: 4220, reason: 'validation_failed', message: 'The arguments do not fit', errors }
    try {
      await this.#demandSame(server, tool)
      const headers = paramHeaders(markedParams(definition.input_schema) ?? [], input)
      const asked = { method: 'tools/call', params: { name: tool.name, arguments: input }, name: tool.name, headers }
      const result = await this.#parts.peers.with(server, (peer) => peer.request(asked, signal))
      const content = resultText(result)
      if (result['isError'] !== true) return { ok: true, content }
      throw new McpToolFailedError({ why: content.slice(0, longestFault) })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, reason, message } = error
      return { ok: false, code, reason, message }
    }
  }

  async #demandSame(offered: McpServerRow, { name, approvedHash }: McpToolRow): Promise<void> {
    const { db, looker } = this.#parts
    const { id, tenantId, version } = offered
    const server = await McpServerRow.of(tenantId, db).findById(id)
    if (server?.status !== 'enabled' || server.version !== version) throw new McpToolOffError()
    await looker.demandFresh(server, freshMs)
    const tool = await McpToolRow.of(tenantId, db).findById([id, name])
    if (!tool || stateOf(tool) !== 'on' || tool.approvedHash !== approvedHash) throw new McpToolOffError()
  }
}

function toolsOf(servers: readonly McpServerRow[], db: Knex) {
  const ids = servers.map(({ id }) => id)
  return McpToolRow.acrossTenants(db).whereIn('server_id', ids).where({ allowed: true }).orderBy(['server_id', 'name'])
}

function onlyOn<T extends McpToolRow>(servers: readonly McpServerRow[], tools: readonly T[]) {
  return tools.flatMap((tool) => {
    const server = servers.find(({ id }) => id === tool.serverId)
    return server && stateOf(tool) === 'on' ? [{ server, tool }] : []
  })
}

async function serversOf(tenantId: number, db: Knex): Promise<readonly McpServerRow[]> {
  const rows = await McpServerRow.acrossTenants(db)
    .whereIn('tenant_id', [0, tenantId])
    .where({ status: 'enabled' })
    .orderBy('name')
  const own = new Set(rows.flatMap((row) => (row.tenantId === tenantId ? [row.name] : [])))
  return rows.filter((row) => row.tenantId === tenantId || !own.has(row.name))
}
