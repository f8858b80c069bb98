import { defineError } from '#kernel'

export const RoleRefusedError = defineError(4002, 'role_refused', 'A user holds at most {limit} roles')
export const RoleAboveCallerError = defineError(
  4031,
  'role_above_caller',
  'This asks for more than you hold: {permission}',
)
export const RoleCodeTakenError = defineError(4091, 'role_code_taken', 'There is a role with this code already')
export const SystemRoleFixedError = defineError(
  4094,
  'system_role_fixed',
  'A system role keeps its name and permissions; only those of plugins can be added to it',
)
export const RoleInUseError = defineError(4095, 'role_in_use', 'Users hold this role')
