import { defineError } from '#kernel'

export const KeyScopeError = defineError(4031, 'api_key_scope', 'This key is not for {scope}')
