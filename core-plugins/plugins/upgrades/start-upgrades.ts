import type { Scope } from '#kernel'
import type { Parts } from '../parts.ts'
import { HealthWatch } from './health-watch.ts'
import type { ReleaseCounts } from './release-counts.ts'

/** New releases are looked after so often. */
const LOOK_MILLISECONDS = 500

/** Starts looking after new releases; ends with the scope. */
export function startUpgrades(scope: Scope, parts: Parts, counts: ReleaseCounts): void {
  const watch = new HealthWatch(parts, counts)
  scope.every(LOOK_MILLISECONDS, () => watch.look())
}
