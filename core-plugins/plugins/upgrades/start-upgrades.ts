import type { Scope } from '#kernel'
import type { ReleaseChangeNeeds } from '../rollbacks/needs.ts'
import type { RunningState } from '../running/running-state.ts'
import { HealthWatch } from './health-watch.ts'
import type { ReleaseCounts } from './release-counts.ts'

/** New releases are looked after so often. */
const lookMilliseconds = 500

/** Starts looking after new releases; ends with the scope. */
export function startUpgrades(
  scope: Scope,
  parts: ReleaseChangeNeeds,
  counts: ReleaseCounts,
  state: RunningState,
): void {
  const watch = new HealthWatch(parts, counts, state)
  scope.every(lookMilliseconds, () => watch.look())
}
