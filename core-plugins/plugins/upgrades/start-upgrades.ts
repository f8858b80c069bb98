import type { Scope } from '#kernel'
import type { Parts } from '../running/parts.ts'
import type { RunningState } from '../running/running-state.ts'
import { HealthWatch } from './health-watch.ts'
import type { ReleaseCounts } from './release-counts.ts'

/** New releases are looked after so often. */
const lookMilliseconds = 500

/** Starts looking after new releases; ends with the scope. */
export function startUpgrades(scope: Scope, parts: Parts, counts: ReleaseCounts, state: RunningState): void {
  const watch = new HealthWatch(parts, counts, state)
  scope.every(lookMilliseconds, () => watch.look())
}
