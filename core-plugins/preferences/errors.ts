import { defineError } from '#kernel'

export const PreferenceNotFoundError = defineError(4040, 'preference_not_found', 'There is no preference {key}')
export const PreferenceInvalidError = defineError(4222, 'preference_invalid', 'Some preferences are not valid')
export const PreferenceDeclarationError = defineError(
  5009,
  'preference_declaration_wrong',
  'The declaration of preferences has a fault: {fault}',
)
