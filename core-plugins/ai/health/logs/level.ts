/** How much a request that ended so matters. */
export const logLevels = ['info', 'warn', 'error'] as const

/** How much a request that ended so matters. */
type LogLevel = (typeof logLevels)[number]

/** Faults of providers, of their set-up and of the platform; the rest was refused for what the caller did or has left. */
const errors = /^(upstream_|no_healthy_target$|internal$)/

/** How much a request matters by how it ended. */
export function levelOf(outcome: string): LogLevel {
  if (outcome === 'ok' || outcome === 'client_abort') return 'info'
  return errors.test(outcome) ? 'error' : 'warn'
}
