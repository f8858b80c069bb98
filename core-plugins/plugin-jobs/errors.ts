import { defineError } from '#kernel'

export const PluginJobsFullError = defineError(
  4299,
  'plugin_jobs_full',
  'At most {most} jobs of a plugin wait for a tenant',
)
