import { defineError } from '#kernel'

export const CaptchaRequiredError = defineError(4004, 'captcha_required', 'Solve a captcha first')
export const CaptchaInvalidError = defineError(4005, 'captcha_invalid', 'The captcha was not solved')
export const CapabilityMissingError = defineError(
  4039,
  'captcha_capability_missing',
  'The plugin {plugin} offers no captcha',
)
export const CaptchaProviderTakenError = defineError(
  4091,
  'captcha_provider_taken',
  'There is a captcha {provider} already',
)
export const CaptchaProviderUnknownError = defineError(
  4220,
  'captcha_provider_unknown',
  'There is no captcha {provider} here',
)
export const CaptchaRateLimitedError = defineError(4293, 'captcha_rate_limited', 'Too many captchas, wait a moment')
export const CaptchaProviderError = defineError(5026, 'captcha_provider_error', 'The captcha {provider} failed')
export const CaptchaOverloadedError = defineError(5033, 'captcha_overloaded', 'Too many captchas are being drawn')
