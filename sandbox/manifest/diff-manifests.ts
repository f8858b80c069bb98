import { hashOf } from './canonical-json.ts'
import type { PluginManifest } from './plugin-manifest.ts'
import { listRights, type Right, type RightKind } from './rights.ts'

/** One right that a manifest has beyond another. */
export interface DiffEntry {
  readonly kind: RightKind
  readonly detail: string
  readonly reason: string | undefined
}

/** What a new manifest asks for beyond, or less than, what was granted. */
interface ManifestDiff {
  /** `wider` asks an administrator; `narrower` and `none` do not. */
  readonly change: 'none' | 'narrower' | 'wider'
  readonly added: readonly DiffEntry[]
  readonly removed: readonly DiffEntry[]
  /** Consent is given to this hash; another difference asks again. */
  readonly diffHash: string
}

/** Compares the rights of two manifests of one plugin. */
export function diffManifests(granted: PluginManifest, wanted: PluginManifest): ManifestDiff {
  const before = listRights(granted)
  const after = listRights(wanted)
  const added = beyond(after, before)
  const removed = beyond(before, after)
  const change = added.length > 0 ? 'wider' : removed.length > 0 ? 'narrower' : 'none'
  return { change, added, removed, diffHash: hashOf({ name: wanted.name, added, removed }) }
}

/** The rights of `these` that `those` lack, or have less of. */
function beyond(these: readonly Right[], those: readonly Right[]): DiffEntry[] {
  const amounts = new Map(those.map((right) => [`${right.kind} ${right.detail}`, right.amount ?? 0]))
  return these
    .filter((right) => {
      const other = amounts.get(`${right.kind} ${right.detail}`)
      return right.amount === undefined ? other === undefined : right.amount > (other ?? 0)
    })
    .map(({ kind, detail, amount, reason }) => ({
      kind,
      detail: amount === undefined ? detail : `${detail} ${amount}`,
      reason,
    }))
    .sort((a, b) => (`${a.kind} ${a.detail}` < `${b.kind} ${b.detail}` ? -1 : 1))
}
