import { defineError } from '#kernel'

export const CapabilityMissingError = defineError(
  4039,
  'capability_missing',
  'The plugin was not granted what it needs',
)
export const PluginConcurrencyError = defineError(4298, 'plugin_concurrency', 'The plugin is busy')
export const PluginRateLimitedError = defineError(4299, 'plugin_rate_limited', 'Too many requests to this plugin')
export const PluginHandlerFailedError = defineError(5004, 'plugin_handler_failed', 'The plugin failed')
export const SandboxFailedError = defineError(5008, 'sandbox_failed', 'The plugin went beyond its limits')
export const PluginResponseInvalidError = defineError(
  5029,
  'plugin_response_invalid',
  'The answer of the plugin is not valid',
)
export const PluginNotRunningError = defineError(5035, 'plugin_not_running', 'The plugin is not running at the moment')
export const PluginTimeoutError = defineError(5040, 'plugin_timeout', 'The plugin did not answer in time')
export const PluginNotLoadableError = defineError(4009, 'plugin_not_loadable', 'The plugin cannot be loaded: {why}')
export const PluginStorageQuotaError = defineError(4297, 'plugin_storage_quota', 'The storage of the plugin is full')
