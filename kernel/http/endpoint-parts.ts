import type { Database } from '../data/database.ts'
import type { SecretBox } from '../data/secret-box.ts'
import type { Store } from '../data/store.ts'
import type { Logger } from '../log.ts'
import type { ServiceTable } from '../service.ts'

/** What of the kernel an endpoint needs. */
export interface EndpointParts {
  readonly services: ServiceTable
  readonly store: Pick<Store, 'limiter'>
  readonly database: Database
  readonly secrets: SecretBox
  readonly log: Logger
  readonly checkResponses: boolean
  readonly compileSchemas: 'lazily' | 'at-once'
}
