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
}

/** The colour of a state; one that nobody knows is shown as it is, in none. */
export function toneOf(status: string): Tone {
  return tones[status] ?? 'note'
}
