import { defineError } from '#kernel'

export const RoleRefusedError = defineError(4002, 'role_refused', 'A user holds at most {limit} roles')
export const RoleHeldInPersonError = defineError(
  4002,
  'role_held_in_person',
  'The role {role} is given to users themselves, never through the organisation',
)
export const OrgTooDeepError = defineError(4002, 'org_too_deep', 'An organisation is at most {limit} levels deep')
export const RoleAboveCallerError = defineError(
  4031,
  'role_above_caller',
  'This asks for more than you hold: {permission}',
)
export const RoleCodeTakenError = defineError(4091, 'role_code_taken', 'There is a role with this code already')
export const OrgCodeTakenError = defineError(
  4091,
  'org_code_taken',
  'There is an organisation node with this code already',
)
export const SystemRoleFixedError = defineError(
  4094,
  'system_role_fixed',
  'A system role stays as it is; only permissions of plugins can be added to it',
)
export const RoleInUseError = defineError(4095, 'role_in_use', 'Users or organisation nodes hold this role')
export const OrgInUseError = defineError(
  4095,
  'org_in_use',
  'The node has nodes below it or members, or roles see by it',
)
export const OrgCycleError = defineError(4096, 'org_cycle', 'A node cannot be moved under itself')
export const MenuCycleError = defineError(4096, 'menu_cycle', 'A menu cannot be moved under itself')
