import { defineError } from '#kernel'

/** A field that is well formed and yet cannot be: its faults stand in `errors`. */
export const AiParamsInvalidError = defineError(4229, 'ai_params_invalid', 'Something in the request cannot be')
export const AiProviderNotFoundError = defineError(4048, 'provider_not_found', 'There is no such AI provider')
export const AiModelNotFoundError = defineError(4048, 'model_not_found', 'There is no such AI model')
export const AiRouteNotFoundError = defineError(4040, 'ai_route_not_found', 'There is no such AI route')
export const MarkupNotFoundError = defineError(4040, 'ai_markup_not_found', 'The tenant pays what models cost')
export const ModelInUseError = defineError(4095, 'model_in_use', 'Routes or agents name this model')
export const ProviderInUseError = defineError(4095, 'provider_in_use', 'Models use this provider')
export const ProviderCodeTakenError = defineError(4091, 'provider_code_taken', 'There is a provider with this code')
export const AlertRuleNotFoundError = defineError(4040, 'ai_alert_rule_not_found', 'There is no such alert rule')
