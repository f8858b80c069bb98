import type { Api } from '../../support/api.ts'

/** A tenant that owns what others ask for. */
export interface Owner {
  readonly tenantId: number
  /** The tenant's owner, signed in. */
  readonly api: Api
  readonly admin: Api
  /** Begins another session of the tenant's owner, or of another of its users. */
  readonly signIn: (userId?: number) => Promise<Api>
}

/** Makes something of a tenant's own and answers the values of the path's parameters, in their order. */
export type Maker = (owner: Owner) => Promise<readonly (string | number)[]>
/** The same of what has one value. */
export type SingleMaker = (owner: Owner) => Promise<string | number>

let count = 0
/** A name that nothing else has. */
export const fresh = (): string => `made${(count += 1)}`
