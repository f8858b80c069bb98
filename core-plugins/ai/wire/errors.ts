import { defineError } from '#kernel'

export const RequestFieldError = defineError(4002, 'request_field_invalid', '{field}: {fault}')
/** Of what a pair of dialect and vendor has no word for, and without which the request would mean something else. */
export const CannotCarryError = defineError(4002, 'cannot_carry', 'This model cannot take {field}: {fault}')
