import { defineError } from '#kernel'

export const UserDuplicateError = defineError(4091, 'duplicate', 'Another user has this {field}')
export const LastHolderError = defineError(4094, 'last_holder', 'Somebody active must remain {role}')
export const PasswordPolicyError = defineError(4223, 'password_policy', 'The password is too easy to guess')
export const OverloadedError = defineError(5033, 'overloaded', 'Too many sign-ins at this moment')
