import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import { lockUntilCommit } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { AttachmentQuotaError } from '../errors.ts'
import { Attachment, Blob, Upload } from '../models.ts'

const megabyte = 1_048_576

/** Bytes that somebody has used, uploads that are under way included, and may use; no limit is null. */
interface Room {
  readonly used: number
  readonly limit: number | null
}

/** Whose room it is. */
interface RoomOwner {
  readonly tenantId: number
  readonly userId: number
}

/** How many bytes a user and a tenant may have; no limit is null. */
interface Quotas {
  readonly user: number | null
  readonly tenant: number | null
}

/** Reads them, before a transaction: who waits in one for a second connection may wait for those who wait for its lock. */
export async function readQuotas(config: ConfigReader): Promise<Quotas> {
  const [user, tenant] = await Promise.all([limitOf(config, 'user_quota_mb'), limitOf(config, 'tenant_quota_mb')])
  return { user, tenant }
}

/** What a user has used and may use. */
export async function readRoom(db: Knex, quotas: Quotas, { tenantId, userId }: RoomOwner): Promise<Room> {
  // What nobody owns is bound by its tenant's quota.
  const limit = userId === 0 ? null : quotas.user
  const own = { owner_id: userId }
  const used = await total(
    Attachment.of(tenantId, db).where(own),
    Blob.of(tenantId, db).where({ ...own, state: 'uploading' }),
    openUploads(db, tenantId).where(own),
  )
  return { used, limit }
}

/**
 * Answers how many of the wanted bytes may be taken, at least one unless none are wanted, and keeps everybody else of the tenant from taking any
 * until the transaction ends: write down what was taken in it. Throws 429/4297 when there is no room.
 */
export async function takeRoom(
  trx: Knex.Transaction,
  quotas: Quotas,
  owner: RoomOwner,
  wanted: { readonly least: number; readonly most: number },
): Promise<number> {
  await lockUntilCommit(trx, `attachments.room:${owner.tenantId}`)
  const user = await readRoom(trx, quotas, owner)
  const tenant = await readTenantRoom(trx, quotas, owner.tenantId)
  const left = Math.min(leftIn(user), leftIn(tenant))
  const room = leftIn(user) <= leftIn(tenant) ? user : tenant
  if (left < wanted.least) {
    throw new AttachmentQuotaError({ details: { of: room === user ? 'user' : 'tenant', ...room } })
  }
  return Math.min(left, wanted.most)
}

/** What a tenant has used: its bytes count once, however many attachments stand on them. */
async function readTenantRoom(db: Knex, quotas: Quotas, tenantId: number): Promise<Room> {
  const limit = tenantId === 0 ? null : quotas.tenant
  if (limit === null) return { used: 0, limit }
  return { used: await total(Blob.of(tenantId, db), openUploads(db, tenantId)), limit }
}

/** Those whose bytes have not become an attachment, and may still come. */
export function openUploads(db: Knex, tenantId: number) {
  const now = new Date()
  return Upload.of(tenantId, db)
    .whereNull('attachment_id')
    .where((ends) => void ends.where('expires_at', '>', now).orWhere('link_expires_at', '>', now))
}

/** In one statement: what becomes an attachment between two of them would be missed by both. */
async function total(...queries: readonly QueryBuilderType<Attachment | Blob | Upload>[]): Promise<number> {
  const [first, ...others] = queries.map((query) => (query as QueryBuilderType<Blob>).sum('size as bytes'))
  if (!first) return 0
  const rows = (await first.unionAll(others)) as unknown as readonly { readonly bytes: string | null }[]
  return rows.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0)
}

async function limitOf(config: ConfigReader, key: string): Promise<number | null> {
  const megabytes = await config.get<number>(key, 0)
  return megabytes === 0 ? null : megabytes * megabyte
}

function leftIn({ used, limit }: Room): number {
  return limit === null ? Number.MAX_SAFE_INTEGER : Math.max(0, limit - used)
}
