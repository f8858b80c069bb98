import { defineError } from '#kernel'

export const ContentBlockedError = defineError(4002, 'content_blocked', 'The content was refused: {detail}')
export const GuardrailFailedError = defineError(
  5034,
  'guardrail_failed',
  'The content could not be checked by the guardrail {guardrail}',
)
