/** What a rule is judged by. */
interface Judged {
  readonly now: Date
  readonly holds: boolean
  /** How long it must hold. */
  readonly forMs: number
  /** How long after somebody was told nobody is told anew. */
  readonly cooldownMs: number
  readonly pendingSince: Date | null
  /** When the rule last had somebody told. */
  readonly toldAt: Date | null
  /** The alert that is open. */
  readonly alert: { readonly since: Date; readonly toldAt: Date | null } | undefined
}

/** Where a rule stands now: whether its alert is on, and whether somebody is to be told of that. */
export function standing({ now, holds, forMs, cooldownMs, pendingSince, toldAt, alert }: Judged) {
  if (!holds) return { pendingSince: null, fires: false, tells: false }
  const since = alert?.since ?? pendingSince ?? now
  const fires = alert !== undefined || now.getTime() - since.getTime() >= forMs
  const isQuiet = toldAt !== null && now.getTime() - toldAt.getTime() < cooldownMs
  return { pendingSince: since, fires, tells: fires && !isQuiet && !alert?.toldAt }
}
