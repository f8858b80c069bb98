import type { IconName } from './icons.ts'

/** How a state looks: its colour says good, waiting, bad or neither, and the word says which. */
export type Tone = 'good' | 'warn' | 'bad' | 'note'

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  enabled: 'good',
  healthy: 'good',
  succeeded: 'good',
  running: 'note',
  fresh: 'good',
  verified: 'good',
  published: 'good',
  awaiting_consent: 'warn',
  in_use: 'good',
  kept: 'note',
  previous: 'note',
  pending: 'warn',
  pending_approval: 'warn',
  pending_verification: 'warn',
  starting: 'warn',
  degraded: 'warn',
  maintenance: 'warn',
  stale: 'warn',
  disabled: 'note',
  installed: 'note',
  rolled_back: 'warn',
  queued: 'note',
  broken: 'bad',
  quarantined: 'bad',
  failed: 'bad',
  unhealthy: 'bad',
  expired: 'bad',
  revoked: 'bad',
  locked: 'bad',
  approved: 'good',
  ready: 'good',
  done: 'good',
  ok: 'good',
  applied: 'good',
  success: 'good',
  security: 'warn',
  warning: 'warn',
  warn: 'warn',
  deprecated: 'warn',
  half_open: 'warn',
  cooldown: 'warn',
  indexing: 'warn',
  delayed: 'warn',
  held: 'warn',
  canary: 'warn',
  rotating: 'warn',
  grace: 'warn',
  trial: 'warn',
  vectors_building: 'warn',
  breaker_half_open: 'warn',
  missed: 'warn',
  firing: 'warn',
  draft: 'warn',
  truncated: 'warn',
  client_abort: 'warn',
  rejected: 'bad',
  aborted: 'bad',
  failing: 'bad',
  dead: 'bad',
  lost: 'bad',
  error: 'bad',
  blocked: 'bad',
  denied: 'bad',
  upstream_error: 'bad',
  auth_failed: 'bad',
  unusable: 'bad',
  exhausted: 'bad',
  down: 'bad',
  undecryptable: 'bad',
  missing: 'bad',
  vectors_failed: 'bad',
  breaker_open: 'bad',
  breaker_quarantined: 'bad',
  vectors_ready: 'good',
  breaker_closed: 'good',
  tool_on: 'good',
  tool_not_allowed: 'note',
  tool_awaiting_approval: 'warn',
  tool_changed: 'warn',
  tool_gone: 'bad',
  tool_unfit: 'bad',
  tool_not_offered: 'bad',
}

/** The shape that says the same as a colour. */
const shapes: Readonly<Record<Tone, IconName>> = { good: 'done', warn: 'warning', bad: 'alert', note: 'minus' }

/** Shapes of states that say more than their colour. */
const ownShapes: Readonly<Record<string, IconName>> = {
  ...{
    running: 'refresh',
    rotating: 'refresh',
    indexing: 'refresh',
    vectors_building: 'refresh',
    rolled_back: 'refresh',
  },
  ...{ pending: 'clock', pending_approval: 'clock', awaiting_consent: 'clock', tool_awaiting_approval: 'clock' },
  ...{ queued: 'clock', starting: 'clock', delayed: 'clock', waiting: 'clock', scheduled: 'clock', expired: 'clock' },
  ...{ pending_verification: 'mail', draft: 'pencil', disabled: 'pause', held: 'pause', cooldown: 'pause' },
  ...{
    maintenance: 'tools',
    broken: 'tools',
    security: 'shield',
    quarantined: 'shield',
    breaker_quarantined: 'shield',
  },
  ...{ locked: 'lock', private: 'lock', blocked: 'lock', denied: 'lock', auth_failed: 'key', undecryptable: 'key' },
  ...{
    revoked: 'close',
    rejected: 'close',
    aborted: 'close',
    cancelled: 'close',
    primary: 'bookmark',
    public: 'users',
  },
}

/** Every state that has a colour. */
export const statuses: readonly string[] = Object.keys(tones)

/** The colour of a state; one that nobody knows is shown as it is, in none. */
export function toneOf(status: string): Tone {
  return tones[status] ?? 'note'
}

/** The icon of a state, which says without colour what its colour says. */
export function iconOfStatus(status: string): IconName {
  return ownShapes[status] ?? shapes[toneOf(status)]
}
