import { defineError } from '#kernel'

export const ConfigKeyUnknownError = defineError(4003, 'config_key_unknown', 'The group {group} has no such key')
export const GroupNotFoundError = defineError(4049, 'config_group_not_found', 'There is no such configuration group')
export const LegalTextEmptyError = defineError(4042, 'legal_text_empty', 'There is no such text')
export const ChangePendingError = defineError(4093, 'change_pending', 'A change of {keys} waits for approval already')
export const ChangeDecidedError = defineError(4094, 'config_change_decided', 'The change is {state} already')
export const ChangeSupersededError = defineError(
  4094,
  'config_change_superseded',
  'What the change began from has changed: it has to be asked for again',
)
export const ConfigValueInvalidError = defineError(4222, 'config_value_invalid', 'Some values are not valid')
export const ConfigError = defineError(5009, 'config_error', 'The configuration catalogue has a fault: {fault}')
