import type { Scope } from '#kernel'
import type { SigningKey } from '#marketplace'
import type { Audit } from '../../access/contract.ts'
import type { Knex } from 'knex'

/** What keeps a release with the rights that it is given. */
export interface ConsentNeeds {
  readonly db: Knex
  readonly emit: Scope['emit']
  readonly audit: Audit
  readonly siteKey: SigningKey
}
