import { defineError } from '#kernel'

export const ToolNotFoundError = defineError(4040, 'plugin_tool_not_found', 'There is no tool {tool} here')
export const ProviderNotFoundError = defineError(
  4048,
  'plugin_provider_not_found',
  'There is no AI provider {provider} here',
)
export const GuardrailNotFoundError = defineError(
  4048,
  'plugin_guardrail_not_found',
  'There is no AI guardrail {guardrail} here',
)
export const RouterNotFoundError = defineError(4048, 'plugin_router_not_found', 'There is no AI router {router} here')
export const ProviderSecretError = defineError(
  4222,
  'plugin_provider_secret',
  'The setting {key} of the AI provider {fault}',
)
export const StorageOfferError = defineError(
  4043,
  'plugin_storage_not_offered',
  'The storage {driver} is not for tenants',
)
export const StorageWithheldError = defineError(
  4043,
  'plugin_storage_withheld',
  'The storage {driver} is not available: the right to it was taken back',
)
