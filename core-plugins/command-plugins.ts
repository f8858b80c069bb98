import type { Plugin } from '#kernel'
import { corePluginsWithout } from './core-plugins-without.ts'
import { enqueueOnlyJobs } from './jobs/enqueue-only.ts'

/** Belong to a host that serves. */
const serving = /^(system|backup|plugins|plugin_.*|first_run|ai|ai_ledger)$/

/** The core plugins of a command line, which runs beside hosts that serve: what it queues is theirs to run. */
export const commandPlugins: readonly Plugin[] = corePluginsWithout(serving).map((plugin) =>
  plugin.name === enqueueOnlyJobs.name ? enqueueOnlyJobs : plugin,
)
