/** How stubborn deliveries are. */
export interface WebhookLimits {
  /** Milliseconds before each further attempt; after the last one a delivery is given up. */
  readonly delays: readonly number[]
  /** Failed attempts in a row, over this time at least, after which a hook is paused. */
  readonly failures: number
  readonly failingMs: number
  /** Deliveries that may wait for one hook, looked at each hour; a hook with more is paused. */
  readonly mostWaiting: number
  /** For one attempt. */
  readonly timeoutMs: number
}

const minute = 60_000
const hour = 60 * minute

/** The platform's: a delivery is tried for about a day. */
export const limits: WebhookLimits = {
  delays: [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 8 * hour, 8 * hour],
  failures: 20,
  failingMs: hour,
  mostWaiting: 10_000,
  timeoutMs: 10_000,
}
