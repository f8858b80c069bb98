import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import {
  createSortableId,
  lockUntilCommit,
  ownerOf,
  presentPage,
  whatIsGiven,
  type FieldError,
  type Page,
  type Principal,
  type TenantResolver,
} from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import { McpServerNameTakenError, McpServerNotFoundError, McpTooManyServersError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { McpServerRow, McpToolRow, type StoredAuth } from '../tables.ts'
import type { Looker } from '../use/looker.ts'
import type { SecretChange, ServerSecrets } from '../use/server-secrets.ts'
import { allowTools, approveTools } from './allow-tools.ts'
import { audited, content } from './audited.ts'
import { presentServer, presentTool, type PresentedServer } from './present.ts'
import { changeFaults, leftSecrets, unboundSecrets } from './rules.ts'
import { allowedTools, columnsOf, secretsOf, usualColumns, type NewServer, type ServerChange } from './wishes.ts'
import type { WhereTo } from './where-to.ts'

/** What servers need of the rest. */
interface ServerParts {
  readonly db: Knex
  readonly audit: Audit
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly secrets: ServerSecrets
  readonly whereTo: WhereTo
  readonly looker: Looker
}

/** Which servers a list shows; what is left out does not matter. */
interface ServerFilter {
  readonly status?: 'enabled' | 'disabled'
  readonly auth?: StoredAuth['type']
  readonly tenant_id?: number
  readonly scope?: 'platform' | 'tenant'
}

/** Who writes, and which version they have seen. */
interface Change extends Writer {
  requireMatch(etag: string): void
}

/** Of one tenant, and of the platform. */
const mostServers = 100
/** Of tools what tells their states: what strangers wrote of them may be long. */
const stateColumns = ['server_id', 'tenant_id', 'name', 'allowed', 'present', 'unfit', 'hash', 'approved_hash']

type Reader = Pick<Principal, 'scope' | 'tenantId'>

/** Servers of tools, as administrators have them. */
export class ServerService {
  readonly #parts: ServerParts

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, { status, auth, tenant_id, scope }: ServerFilter) {
    const { db, secrets } = this.#parts
    const query = rowsFor(reader, db).where(whatIsGiven<string | number>({ status, tenant_id }))
    if (auth !== undefined) void query.whereRaw(`auth->>'type' = ?`, [auth])
    if (scope !== undefined) void query.where('tenant_id', scope === 'platform' ? '=' : '<>', 0)
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const ids = results.map(({ id }) => id)
    const sealed = await secrets.of(ids, db)
    const tools = Map.groupBy(
      await McpToolRow.acrossTenants(db).whereIn('server_id', ids).where({ allowed: true }).select(stateColumns),
      ({ serverId }) => serverId,
    )
    const items = results.map((row) => presentServer(row, sealed.get(row.id) ?? [], tools.get(row.id) ?? [], secrets))
    return presentPage(page, total, items)
  }

  /** Throws 404/4040, also for one of another tenant. */
  async get(reader: Reader, id: string): Promise<PresentedServer> {
    return this.#read(await this.find(reader, id))
  }

  /** Makes it, and looks what tools it has; that it cannot be reached is no error. Throws 400/4002 where there are as many as may be. */
  async create(wish: NewServer, writer: Writer): Promise<PresentedServer> {
    const { db, tenants, looker } = this.#parts
    const tenantId = await ownerOf(writer.principal, wish.tenant_id, { tenants, refuse: refuseFaults })
    const columns = this.#columns({}, wish)
    refuseFaults([...changeFaults(wish, columns.auth), ...(await this.#addressFaults(undefined, columns))])
    const made = await db.transaction(async (trx) => {
      await lockUntilCommit(trx, `mcp.servers.${String(tenantId)}`)
      const count = await McpServerRow.of(tenantId, trx).resultSize()
      if (count >= mostServers) throw new McpTooManyServersError({ most: mostServers })
      const row = await McpServerRow.of(tenantId, trx)
        .insert({ ...columns, id: createSortableId('mcs'), createdBy: writer.principal.userId })
        .returning('*')
        .catch(takenName)
      await this.#parts.secrets.write(row, setOf(secretsOf(wish)), trx)
      await allowTools(row, allowedTools(wish.tools ?? []), writer.principal.userId, trx)
      await this.#record('created', row, writer, { after: await this.#read(row, trx) }, trx)
      return row
    })
    // The fault is kept beside the server.
    if (made.status === 'enabled') await looker.look(made).catch(() => undefined)
    return this.get(writer.principal, made.id)
  }

  async update(id: string, wish: ServerChange, writer: Change): Promise<PresentedServer> {
    const { db, secrets } = this.#parts
    const seen = await this.find(writer.principal, id)
    // Looked up outside of the transaction, which must not wait for name servers.
    const addressFaults = await this.#addressFaults(seen, this.#columns(seen, wish))
    await db.transaction(async (trx) => {
      const row = await this.find(writer.principal, id, trx)
      writer.requireMatch(String(row.version))
      const before = await this.#read(row, trx)
      const columns = this.#columns(row, wish)
      const sealed = (await secrets.of([id], trx)).get(id) ?? []
      const change = { ...leftSecrets(sealed, columns.auth), ...secretsOf(wish) }
      refuseFaults([
        ...changeFaults(wish, columns.auth),
        ...(columns.url === seen.url || wish.url !== undefined ? addressFaults : []),
        ...unboundSecrets(sealed, columns, change),
      ])
      const end = { version: row.version + 1, updatedAt: new Date() }
      const changed = await McpServerRow.of(row.tenantId, trx)
        .patchAndFetchById(id, { ...columns, ...end, ...(columns.url !== row.url && { revision: null }) })
        .catch(takenName)
      await secrets.write(changed, change, trx)
      if (wish.tools) await allowTools(changed, allowedTools(wish.tools), writer.principal.userId, trx)
      const after = await this.#read(changed, trx)
      const given = Object.keys(secretsOf(wish))
      if (isDeepStrictEqual(content(before), content(after)) && given.length === 0) return
      await this.#record('updated', row, writer, { before, after, given }, trx)
    })
    return this.get(writer.principal, id)
  }

  /** Throws 409/4094 for a tool that is another one by now. */
  async approve(
    id: string,
    { tools }: { readonly tools: readonly { readonly name: string; readonly hash: string }[] },
    writer: Writer,
  ): Promise<PresentedServer> {
    return this.#parts.db.transaction(async (trx) => {
      const row = await this.find(writer.principal, id, trx)
      const before = await this.#read(row, trx)
      await approveTools(row, tools, writer.principal.userId, trx)
      const after = await this.#read(row, trx)
      await this.#record('tools_approved', row, writer, { before, after }, trx)
      return after
    })
  }

  /** Asks for its tools now. Throws an error of the code 5021. */
  async refresh(id: string, writer: Writer): Promise<PresentedServer> {
    await this.#parts.looker.look(await this.find(writer.principal, id))
    return this.get(writer.principal, id)
  }

  async delete(id: string, writer: Writer): Promise<void> {
    await this.#parts.db.transaction(async (trx) => {
      const row = await this.find(writer.principal, id, trx)
      const before = await this.#read(row, trx)
      await McpServerRow.of(row.tenantId, trx).deleteById(id)
      await this.#record('deleted', row, writer, { before }, trx)
    })
  }

  /** The row, locked within a transaction. Throws 404/4040, also for one of another tenant. */
  async find(reader: Reader, id: string, trx?: Knex.Transaction): Promise<McpServerRow> {
    const query = rowsFor(reader, trx ?? this.#parts.db).findById(id)
    const row = await (trx ? query.forUpdate() : query)
    if (!row) throw new McpServerNotFoundError()
    return row
  }

  #columns(before: Partial<McpServerRow>, wish: ServerChange) {
    const { name, url, auth, timeoutMs, status } = { ...usualColumns, ...before }
    const columns = columnsOf({ name, url, auth, timeoutMs, status } as Partial<McpServerRow>, wish)
    refuseFaults(columns ? [] : [{ field: 'oauth', rule: 'required', message: 'is required for this way' }])
    return columns as Pick<McpServerRow, 'name' | 'url' | 'auth' | 'timeoutMs' | 'status'>
  }

  async #addressFaults(
    before: Pick<McpServerRow, 'url' | 'auth'> | undefined,
    { url, auth }: Pick<McpServerRow, 'url' | 'auth'>,
  ): Promise<readonly FieldError[]> {
    const { whereTo } = this.#parts
    const tokenUrl = auth.type === 'oauth_client_credentials' ? auth.token_url : undefined
    const same = before?.auth.type === 'oauth_client_credentials' ? before.auth.token_url : undefined
    return [
      ...(url === before?.url ? [] : await whereTo.faults('url', url)),
      ...(tokenUrl === undefined || tokenUrl === same ? [] : await whereTo.faults('oauth.token_url', tokenUrl)),
    ]
  }

  async #read(row: McpServerRow, db: Knex = this.#parts.db): Promise<PresentedServer> {
    const { secrets } = this.#parts
    const sealed = (await secrets.of([row.id], db)).get(row.id) ?? []
    const tools = await McpToolRow.of(row.tenantId, db).where({ server_id: row.id }).orderBy('name')
    return { ...presentServer(row, sealed, tools, secrets), tools: tools.map((tool) => presentTool(row, tool)) }
  }

  async #record(
    what: string,
    { id, tenantId }: McpServerRow,
    { principal, state }: Writer,
    { given, before, after }: { before?: PresentedServer; after?: PresentedServer; given?: readonly string[] },
    trx: Knex.Transaction,
  ): Promise<void> {
    const about = { tenantId: principal.tenantId, actor: principal, traceId: state.traceId }
    const change = { ...(before && { before: audited(before) }), ...(after && { after: audited(after) }) }
    const told = {
      ...change,
      ...(change.after && { after: { ...change.after, owner_id: tenantId, ...(given && { given }) } }),
    }
    await this.#parts.audit.record({ ...about, ...told, target: `mcp_server:${id}`, action: `mcp_server.${what}` }, trx)
  }
}

function rowsFor({ scope, tenantId }: Reader, db: Knex) {
  return scope === 'platform' ? McpServerRow.acrossTenants(db) : McpServerRow.of(tenantId, db)
}

/** A new server has nothing to clear. */
function setOf(change: SecretChange): SecretChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null))
}

function takenName(error: unknown): never {
  const { nativeError } = error as { nativeError?: { constraint?: string } }
  if (nativeError?.constraint !== 'ai_mcp_servers_name') throw error
  throw new McpServerNameTakenError({ details: { field: 'name' }, cause: error })
}
