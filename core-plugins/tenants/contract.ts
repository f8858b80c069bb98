import type { Knex } from 'knex'
import { defineEvent, defineService, type Principal, type Tenant } from '#kernel'
import type { PresentedUser } from '../users/contract.ts'

/** How a domain's proof stands: it waits for it, has it, lost it, or lost the domain to a tenant with a newer one. */
export type DomainStatus = 'pending' | 'verified' | 'failed' | 'superseded'

/** A host name of a tenant. */
export interface TenantDomain {
  readonly domain: string
  readonly verified: boolean
  readonly primary: boolean
}

/** A tenant with what only administrators see. */
export interface TenantRecord extends Tenant {
  readonly domains: readonly TenantDomain[]
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A tenant as lists of others show one. */
export type NamedTenant = Pick<TenantRecord, 'id' | 'code' | 'name'>

/** Who owns a tenant: the first of those who hold the owner's role. */
export interface TenantOwner {
  readonly id: number
  readonly nickname: string
  readonly email: string | null
  readonly avatarUrl: string
}

/** What a tenant has. */
export interface TenantFigures {
  readonly users: number
  readonly plugins: number
  readonly owner: TenantOwner | null
}

/** How many plugins some tenants may use, by tenant; those without any are absent. */
export type PluginCounts = (tenantIds: readonly number[]) => Promise<ReadonlyMap<number, number>>

/** A tenant to be created, with its first user. */
export interface NewTenant {
  readonly code: string
  readonly name: string
  readonly domains?: readonly string[] | undefined
  readonly owner: {
    readonly email: string
    readonly password: string
    readonly nickname?: string | undefined
  }
}

/** Finds and creates tenants; deleted ones are not there. */
export interface TenantDirectory {
  /** Throws 404/4040 when there is none. */
  get(id: number): Promise<TenantRecord>
  /** Every tenant, oldest first. */
  list(): Promise<readonly TenantRecord[]>
  /** Some tenants as others show them, by id; those that are gone are absent, within a transaction if one is given. */
  named(ids: readonly number[], trx?: Knex.Transaction): Promise<ReadonlyMap<number, NamedTenant>>
  /** Shows beside tenants how many plugins they may use, of which this plugin knows nothing, until the result is disposed. */
  countPlugins(source: PluginCounts): Disposable
  create(tenant: NewTenant, actor: Principal | null, traceId?: string): Promise<TenantRecord & { owner: PresentedUser }>
}

/** Gives a first start something to look at. */
export interface DemoSeed {
  /** Creates the demo tenant with a random password for its owner; undefined when there is a tenant already. */
  run(): Promise<{ readonly tenantCode: string; readonly account: string; readonly password: string } | undefined>
}

/** Finds and creates tenants. */
export const tenantDirectory = defineService<TenantDirectory>('tenants.directory')
/** Creates the demo tenant. */
export const demoSeed = defineService<DemoSeed>('tenants.demo_seed')

/** It was found out whose a domain is. */
export const tenantsDomainChanged = defineEvent<{
  readonly tenantId: number
  readonly domain: string
  readonly status: string
}>('tenants.domain_changed')

/** A tenant lost a domain: its record is gone, another tenant proved it, or nobody proved it for two weeks. */
export const tenantsDomainFailed = defineEvent<{
  readonly tenantId: number
  readonly domain: string
  readonly status: 'failed' | 'superseded' | 'unbound'
}>('tenants.domain_failed')
