import type { AskedItem, ChangedRight, ConsentRequest } from '../consent/consent-request.ts'

/** What an administrator is asked to allow, and all else that changes with it. */
export function presentConsent({ releaseHash, diffHash, items, unchanged, added, removed }: ConsentRequest) {
  return {
    release_hash: releaseHash,
    diff_hash: diffHash,
    wider: items.map(presentItem),
    unchanged: unchanged.map(presentItem),
    added: added.map(presentRight),
    removed: removed.map((right) => ({ ...presentRight(right), before: right.before ?? null })),
  }
}

function presentItem({ capability, optional, reason, detail, before, risk }: AskedItem) {
  return {
    capability,
    optional,
    reason: reason ?? null,
    detail: detail ?? null,
    before: before?.detail ?? null,
    risk,
  }
}

function presentRight({ kind, detail, reason, capability }: ChangedRight) {
  return { kind, detail, reason: reason ?? null, capability }
}
