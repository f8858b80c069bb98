import { defineError } from '#kernel'

export const AiAccessDisabledError = defineError(4036, 'ai_access_disabled', 'AI is switched off here')
export const ModelNotAllowedError = defineError(4031, 'model_not_allowed', 'The model {model} may not be used here')
export const ContextLengthError = defineError(
  4002,
  'context_length_exceeded',
  'The request is too long for the model: {detail}',
)
export const RequestRefusedError = defineError(4002, 'request_refused', 'The provider refused the request: {detail}')
export const CapabilityMissingError = defineError(4002, 'model_lacks', 'The model {model} {lack}')
export const QuotaExceededError = defineError(4296, 'quota_exceeded', 'The quota {quota} is used up')
export const BudgetExceededError = defineError(4296, 'budget_exceeded', 'The budget {quota} is used up')
export const PriceMissingError = defineError(
  4296,
  'price_missing',
  'The model has no price, and under the budget {quota} only models with a price are called',
)
export const AiConcurrencyError = defineError(4298, 'concurrency_limited', 'Too many requests at once: {quota}')
export const UpstreamFailedError = defineError(5021, 'upstream_error', 'The provider of the model failed')
export const UpstreamTimeoutError = defineError(5021, 'upstream_timeout', 'The provider of the model took too long')
export const UpstreamInterruptedError = defineError(
  5021,
  'upstream_stream_interrupted',
  'The model stopped in the middle of its answer',
)
export const UpstreamAuthError = defineError(
  5021,
  'upstream_auth_failed',
  'The provider of the model is not set up rightly: ask your administrator',
)
export const UpstreamBadResponseError = defineError(
  5021,
  'upstream_bad_response',
  'What the provider of the model answered cannot be read',
)
export const NoHealthyTargetError = defineError(
  5034,
  'no_healthy_target',
  'No provider of the model can take the request at the moment',
)
