import { PlatformModel, TenantModel } from '#kernel'
import type { DomainStatus } from './contract.ts'

/** What the records of one kind are, and whether they are what is asked for. */
export interface RecordCheck {
  readonly ok: boolean
  readonly found: readonly string[]
  /** No name server answered in time, so nothing follows from it. */
  readonly error?: 'no_answer'
}

/** What the records of a domain are: TXT proves whose it is, CNAME or an address that it leads here. */
export interface DomainChecks {
  readonly txt: RecordCheck
  readonly cname: RecordCheck
  readonly a: RecordCheck
}

/** A tenant's row. */
export class TenantRow extends PlatformModel {
  static override tableName = 'tenants'

  declare id: number
  declare code: string
  declare name: string
  declare status: 'active' | 'disabled' | 'deleted'
  declare expiresAt: Date | null
  /** Of a deleted one: when nothing of it was left. */
  declare erasedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A host name that a tenant claims or has proved to own. */
export class DomainRow extends TenantModel {
  static override tableName = 'tenant_domains'
  static override jsonAttributes = ['checks']

  declare id: number
  declare domain: string
  declare status: DomainStatus
  declare primary: boolean
  /** By the word of the platform's administrator: no record is asked for. */
  declare trusted: boolean
  /** The owner by whose word it may become the primary domain without being chosen. */
  declare ledBy: number | null
  /** What name servers said last. */
  declare checks: DomainChecks | null
  declare checkedAt: Date | null
  /** When name servers were last asked. */
  declare askedAt: Date | null
  /** When the tenant last wanted them asked. */
  declare demandedAt: Date | null
  declare nextCheckAt: Date | null
  /** How often they were asked in the background while it waits for its proof. */
  declare attempts: number
  /** How often in a row the record was gone. */
  declare misses: number
  declare verifiedAt: Date | null
  /** Since when it is no longer verified. */
  declare lostAt: Date | null
  /** The tenant that had the domain before, whose old record wins nothing back. */
  declare takenFrom: number | null
  declare createdAt: Date
}
