import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { ownerOf, presentPage, type Page, type Principal, type RouteContext, type TenantResolver } from '#kernel'
import type { Audit, Writer } from '../../access/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { tenantFor } from '../area.ts'
import { ApiKeyNotFoundError } from '../errors.ts'
import { faultOf, refuseFaults } from '../faults.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import type { NewKeyQuota, QuotaService } from '../quotas/service.ts'
import { usageOfKeys } from '../usage/key-usage.ts'
import type { KeyAuthenticator } from './authenticator.ts'
import { KeyRow, SecretRow } from './key-model.ts'
import { hintOf, newKeyId, newSecret, writeKey } from './key-text.ts'
import type { Peppers } from './peppers.ts'
import { isLive, presentKey, type KeyStatus } from './present.ts'
import { sortKeys, withStatus } from './with-status.ts'
import { columnsOf, factsOf, faultsOf, type KeyChange } from './read-key.ts'

/** A key to be made. */
interface NewKey extends KeyChange {
  readonly name: string
  readonly tenant_id?: number | null
  readonly owner?: { readonly user_id?: number }
  readonly quotas?: readonly NewKeyQuota[]
}

/** Which keys a list shows. */
interface KeyFilter {
  readonly status?: KeyStatus
  readonly tenant_id?: number
  readonly user_id?: number
}

/** What the keys stand on. */
export interface KeyParts {
  readonly db: Knex
  readonly audit: Audit
  readonly peppers: Peppers
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly quotas: Pick<QuotaService, 'createForKey'>
  readonly table: Pick<QuotaTable, 'wrote'>
  readonly known: Pick<KeyAuthenticator, 'wrote'>
}

type Matcher = Pick<RouteContext, 'requireMatch'>

const everything = ['chat', 'embeddings', 'models', 'agents']

/** API keys: whoever has one calls AI on behalf of its tenant, and of its user if it has one. */
export class KeyService {
  readonly #parts: KeyParts

  constructor(parts: KeyParts) {
    this.#parts = parts
  }

  async list(asker: Principal, page: Page, { status, tenant_id, user_id }: KeyFilter) {
    const { db } = this.#parts
    const tenant = tenantFor(asker, tenant_id)
    if (tenant === 'none') return presentPage(page, 0, [])
    const query = tenant === undefined ? KeyRow.acrossTenants(db) : KeyRow.of(tenant, db)
    if (status !== undefined) withStatus(query, status)
    if (user_id !== undefined) void query.where({ user_id })
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    sortKeys(query, page.sort)
    const { results, total } = await query.page(page.page - 1, page.size)
    const ids = results.map(({ id }) => id)
    const [secrets, usage] = await Promise.all([
      SecretRow.acrossTenants(db).whereIn('key_id', ids).orderBy('created_at'),
      usageOfKeys(db, ids),
    ])
    const byKey = Map.groupBy(secrets, ({ keyId }) => keyId)
    return presentPage(
      page,
      total,
      results.map((row) => presentKey(row, byKey.get(row.id) ?? [], usage.get(row.id))),
    )
  }

  async get(asker: Principal, id: string) {
    return this.#present(await this.#find(asker, id, this.#parts.db))
  }

  /** Makes a key; the answer is the one place in which it ever stands. */
  async create(body: NewKey, writer: Writer) {
    const { db, tenants, audit, quotas } = this.#parts
    const { principal, state } = writer
    const tenantId = await ownerOf(principal, body.tenant_id, { tenants, refuse: refuseFaults })
    const userId = body.owner?.user_id ?? null
    refuseFaults([...faultsOf(body), ...(await this.#faultsOfUser(tenantId, userId))])
    const id = newKeyId()
    const made = await db.transaction(async (trx) => {
      await KeyRow.of(tenantId, trx).insert({
        ...{ id, userId, createdBy: principal.userId, status: 'active', version: 1 },
        ...columnsOf({ scopes: everything, models: [], agents: [], tools: [], ip_allow: [], metadata: {}, ...body }),
      })
      const text = await this.#addSecret(trx, tenantId, id)
      await quotas.createForKey(trx, { tenantId, keyId: id, name: body.name, quotas: body.quotas ?? [] }, writer)
      const about = {
        tenantId: principal.tenantId,
        actor: principal,
        traceId: state.traceId,
        target: `ai_api_key:${id}`,
      }
      await audit.record({ ...about, action: 'ai_api_key.created', after: { ...body, tenant_id: tenantId } }, trx)
      return text
    })
    if (body.quotas && body.quotas.length > 0) await this.#parts.table.wrote()
    await this.#parts.known.wrote(id)
    const row = await this.#find(principal, id, db)
    return { ...(await this.#present(row)), key: made }
  }

  /** Changes everything but the secret; what is absent stays. */
  async update(id: string, change: KeyChange, writer: Writer & Matcher) {
    refuseFaults(faultsOf(change))
    const row = await this.#change(id, writer, 'updated', async (trx, before) => {
      writer.requireMatch(String(before.version))
      const more = change.status === undefined ? {} : { status: change.status }
      await KeyRow.of(before.tenantId, trx)
        .findById(id)
        .patch({ ...columnsOf(change), ...more })
    })
    return this.#present(row)
  }

  /** Nobody gets in with it any more, on any host within a second; the row and its usage stay. */
  async disable(id: string, writer: Writer): Promise<void> {
    await this.#change(id, writer, 'disabled', async (trx, { tenantId }) => {
      await KeyRow.of(tenantId, trx).findById(id).patch({ status: 'disabled' })
    })
  }

  /** Gives a key another secret; at most the new one and the one before are good. */
  async rotate(id: string, { grace_seconds: grace = 86_400, revoke_previous: isRevoked = false }, writer: Writer) {
    let key = ''
    let previous: SecretRow | undefined
    await this.#change(id, writer, 'rotated', async (trx, { tenantId }) => {
      const live = (await SecretRow.of(tenantId, trx).where({ key_id: id }).orderBy('created_at')).filter((secret) =>
        isLive(secret),
      )
      previous = live.find(({ notAfter }) => notAfter === null)
      const now = new Date()
      for (const secret of live) {
        const ends = secret === previous && !isRevoked ? new Date(now.getTime() + grace * 1000) : now
        await SecretRow.of(tenantId, trx).findById(secret.id).patch({ notAfter: ends })
        if (secret === previous) previous = Object.assign(secret, { notAfter: ends })
      }
      key = await this.#addSecret(trx, tenantId, id)
    })
    const before = previous?.notAfter ? { hint: previous.hint, not_after: previous.notAfter.toISOString() } : null
    return { id, key, hint: hintOf(key), previous: before }
  }

  async #addSecret(trx: Knex.Transaction, tenantId: number, keyId: string): Promise<string> {
    const secret = newSecret()
    const key = writeKey({ id: keyId, secret })
    const { hash, version } = await this.#parts.peppers.hash(secret, trx)
    const row = { id: randomUUID(), keyId, hash, pepperVersion: version, hint: hintOf(key), createdAt: new Date() }
    await SecretRow.of(tenantId, trx).insert({ ...row, notAfter: null })
    return key
  }

  async #change(
    id: string,
    { principal, state }: Writer,
    what: string,
    write: (trx: Knex.Transaction, before: KeyRow) => Promise<void>,
  ): Promise<KeyRow> {
    const { db, audit, known } = this.#parts
    const row = await db.transaction(async (trx) => {
      const before = await this.#find(principal, id, trx, true)
      await write(trx, before)
      await KeyRow.of(before.tenantId, trx)
        .findById(id)
        .patch({ version: before.version + 1, updatedAt: new Date() })
      const after = await this.#find(principal, id, trx)
      const about = {
        tenantId: principal.tenantId,
        actor: principal,
        traceId: state.traceId,
        target: `ai_api_key:${id}`,
      }
      await audit.record(
        { ...about, action: `ai_api_key.${what}`, before: factsOf(before), after: factsOf(after) },
        trx,
      )
      return after
    })
    await known.wrote(id)
    return row
  }

  async #find({ scope, tenantId }: Principal, id: string, db: Knex, isLocked = false): Promise<KeyRow> {
    const query = scope === 'platform' ? KeyRow.acrossTenants(db) : KeyRow.of(tenantId, db)
    const row = await (isLocked ? query.findById(id).forUpdate() : query.findById(id))
    if (!row) throw new ApiKeyNotFoundError()
    return row
  }

  async #present(row: KeyRow) {
    const { db } = this.#parts
    const [secrets, usage] = await Promise.all([
      SecretRow.of(row.tenantId, db).where({ key_id: row.id }).orderBy('created_at'),
      usageOfKeys(db, [row.id]),
    ])
    return presentKey(row, secrets, usage.get(row.id))
  }

  async #faultsOfUser(tenantId: number, userId: number | null) {
    if (userId === null || (await this.#parts.users.find(tenantId, userId))) return []
    return [faultOf('owner.user_id', 'unknown', 'is no user of the tenant')]
  }
}
