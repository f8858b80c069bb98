import type { DomainBody } from '../../../../../tenants/wire.ts'

/** A domain of a tenant. */
export type Domain = DomainBody
