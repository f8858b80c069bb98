import { settleRunning } from '../running/settle.ts'
import type { ReleaseStage } from '../rollbacks/needs.ts'
import type { Switched } from './switch-over.ts'

/** Waits until every living host runs the release. */
export async function followUpgrade({ parts, operation }: ReleaseStage): Promise<void> {
  await settleRunning(parts, operation, operation.result<Switched>('switch').generation)
  // Owners of tenants hold the permissions of what is assigned to them and runs.
  await parts.access.invalidate('all')
}
