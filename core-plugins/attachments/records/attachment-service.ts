import { DataScopeError, presentPage, type DataScopePlan, type Page, type Principal, type Tenant } from '#kernel'
import type { Writer } from '../../access/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { isReadableBy } from '../access/readable-by.ts'
import type { Links } from '../access/links.ts'
import { AttachmentNotFoundError } from '../errors.ts'
import { Attachment } from '../models.ts'
import type { AttachmentParts } from '../parts.ts'
import { avatarHolder } from '../references/holders.ts'
import { setReferences } from '../references/references.ts'
import { listOfAll, listOfTenant, type AttachmentFilter } from './attachment-list.ts'
import { presentAttachment } from './present.ts'
import { removeAttachment } from './remove-attachment.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Records of attachments. */
export class AttachmentService {
  readonly #parts: AttachmentParts
  readonly #users: UserDirectory
  readonly #links: Links

  constructor(parts: AttachmentParts, users: UserDirectory, links: Links) {
    this.#parts = parts
    this.#users = users
    this.#links = links
  }

  /** As the wire shows it. */
  async present(row: Attachment, tenant: Tenant | undefined) {
    const ttlSeconds = await this.#parts.config.get<number>('signed_url_ttl_seconds', 0, 3600)
    return presentAttachment(row, { links: this.#links, ttlSeconds, tenant })
  }

  /** One that the caller may read; throws 404/4045. */
  async get(principal: Principal, id: string): Promise<Attachment> {
    const row = await this.#find(principal.tenantId, id)
    if (!(await isReadableBy(this.#parts.access, principal, row))) throw new AttachmentNotFoundError()
    return row
  }

  /** The caller's own. */
  async listOwn({ tenantId, userId }: Principal, tenant: Tenant | undefined, page: Page, filter: AttachmentFilter) {
    const own = { ...filter, owner_id: userId }
    const { results, total } = await listOfTenant(this.#parts.db, tenantId, { kind: 'all' }, page, own)
    return presentPage(page, total, await Promise.all(results.map((row) => this.present(row, tenant))))
  }

  /** Those of the tenant within the caller's data scope, with the names of their owners. */
  async listTenant(principal: Principal, tenant: Tenant, page: Page, filter: AttachmentFilter) {
    const plan = await this.#parts.access.dataScope(principal, 'tenant_attachment:list')
    const { results, total } = await listOfTenant(this.#parts.db, tenant.id, plan, page, filter)
    return presentPage(page, total, await this.#presentOwned(results, () => tenant))
  }

  /** Everybody's, with the names of their owners and of the tenants. */
  async listAll(page: Page, filter: AttachmentFilter) {
    const { results, total } = await listOfAll(this.#parts.db, page, filter)
    const ids = [...new Set(results.map(({ tenantId }) => tenantId))]
    const tenants = new Map(await Promise.all(ids.map(async (id) => [id, await this.#parts.tenants.byId(id)] as const)))
    const items = await this.#presentOwned(results, (id) => tenants.get(id))
    return presentPage(
      page,
      total,
      items.map((item) => ({ ...item, tenant: presentTenant(tenants.get(item.tenant_id)) })),
    )
  }

  /** One within the data scope of the caller, who administers the tenant; throws 404/4045. */
  async getScoped(principal: Principal, tenant: Tenant, id: string) {
    const row = await this.#find(principal.tenantId, id)
    if (!reaches(await this.#parts.access.dataScope(principal, 'tenant_attachment:list'), row)) {
      throw new AttachmentNotFoundError()
    }
    const [owned] = await this.#presentOwned([row], () => tenant)
    return owned
  }

  /** Deletes the caller's own; throws 404/4045, or 403/4031 for one that the caller may read alone. */
  async deleteOwn(principal: Principal, id: string): Promise<void> {
    const row = await this.get(principal, id)
    if (row.ownerId !== principal.userId) throw new DataScopeError()
    await this.#delete(row)
  }

  /** Deletes one within the data scope of the caller, who administers the tenant. */
  async deleteScoped(writer: Writer, id: string): Promise<void> {
    const { principal } = writer
    const row = await this.#find(principal.tenantId, id)
    const { access } = this.#parts
    if (reaches(await access.dataScope(principal, 'tenant_attachment:delete'), row)) return this.#delete(row, writer)
    if (reaches(await access.dataScope(principal, 'tenant_attachment:list'), row)) throw new DataScopeError()
    throw new AttachmentNotFoundError()
  }

  /** Deletes anybody's. */
  async deleteAny(writer: Writer, id: string): Promise<void> {
    const row = uuid.test(id) ? await Attachment.acrossTenants(this.#parts.db).findById(id) : undefined
    if (!row) throw new AttachmentNotFoundError()
    await this.#delete(row, writer)
  }

  /** Deletes a user's avatars, and what nobody but the user, who is no more, could read; what others may read stays. */
  async forgetUser(tenantId: number, userId: number): Promise<void> {
    const { db } = this.#parts
    const rows = Attachment.of(tenantId, db)
      .where({ owner_id: userId })
      .where((own) => void own.where({ visibility: 'private' }).orWhere({ usage: 'avatar' }))
    for (const row of await rows.select('id', 'tenant_id'))
      await db.transaction((trx) => removeAttachment(this.#parts, trx, row, 'although-used'))
    await db.transaction((trx) => setReferences(trx, tenantId, avatarHolder(userId), []))
  }

  async #delete(row: Pick<Attachment, 'id' | 'tenantId'>, writer?: Writer): Promise<void> {
    if (!(await this.#remove(row, writer))) throw new AttachmentNotFoundError()
  }

  /**
   * Deletes a record, unless it is gone by now; its bytes go when nothing else stands on them. What somebody does to others' files
   * stands in the log.
   */
  async #remove(row: Pick<Attachment, 'id' | 'tenantId'>, writer?: Writer): Promise<boolean> {
    const { id, tenantId } = row
    const { db, audit } = this.#parts
    return db.transaction(async (trx) => {
      const gone = await removeAttachment(this.#parts, trx, row, 'unless-used')
      if (!gone) return false
      if (!writer) return true
      const { principal: actor, state } = writer
      const before = { filename: gone.filename, owner_id: gone.ownerId, size: Number(gone.size) }
      const entry = { tenantId, actor, action: 'attachment.deleted', target: `attachment:${id}`, before }
      await audit.record({ ...entry, traceId: state.traceId }, trx)
      return true
    })
  }

  async #find(tenantId: number, id: string): Promise<Attachment> {
    const row = uuid.test(id) ? await Attachment.of(tenantId, this.#parts.db).findOne({ id }) : undefined
    if (!row) throw new AttachmentNotFoundError()
    return row
  }

  async #presentOwned(rows: readonly Attachment[], tenantOf: (id: number) => Tenant | undefined) {
    const names = await this.#namesOf(rows)
    return Promise.all(
      rows.map(async (row) => ({
        ...(await this.present(row, tenantOf(row.tenantId))),
        owner_name: names.get(`${row.tenantId}:${row.ownerId}`) ?? null,
      })),
    )
  }

  async #namesOf(rows: readonly Attachment[]): Promise<ReadonlyMap<string, string>> {
    const byTenant = Map.groupBy(rows, ({ tenantId }) => tenantId)
    const found = await Promise.all(
      [...byTenant].map(([tenantId, of]) => {
        const ids = [...new Set(of.map(({ ownerId }) => ownerId))]
        return this.#users.list(tenantId, { ids, limit: ids.length })
      }),
    )
    return new Map(found.flat().map((user) => [`${user.tenantId}:${user.id}`, user.nickname]))
  }
}

function presentTenant(tenant: Tenant | undefined) {
  return tenant ? { id: tenant.id, code: tenant.code, name: tenant.name } : null
}

function reaches(plan: DataScopePlan, { ownerId, orgId }: Attachment): boolean {
  if (plan.kind !== 'filter') return plan.kind === 'all'
  return ownerId === plan.userId || (orgId !== null && plan.orgIds.includes(orgId))
}
