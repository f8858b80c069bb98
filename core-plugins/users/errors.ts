import { defineError } from '#kernel'

export const OwnAddressExcludedError = defineError(
  4002,
  'own_address_excluded',
  'These addresses would lock you out: yours, {ip}, is not among them',
)
export const EmailDomainRefusedError = defineError(
  4002,
  'email_domain_refused',
  'Addresses of this domain are not taken here',
)
export const InvitationInvalidError = defineError(
  4006,
  'invitation_invalid',
  'The invitation is wrong, used, too old or gives what its sender may not give',
)
export const EmailProofInvalidError = defineError(
  4006,
  'email_proof_invalid',
  'The link to verify the address is wrong, used or too old',
)
export const SecondFactorInvalidError = defineError(
  4006,
  'second_factor_invalid',
  'The code of the second factor is wrong or was used before',
)
export const RegistrationOffError = defineError(4036, 'registration_off', 'Nobody registers here without an invitation')
export const ProfileEditOffError = defineError(4036, 'profile_edit_disabled', 'Users do not change their profile here')
export const UserDuplicateError = defineError(4091, 'duplicate', 'Another user has this {field}')
export const LastHolderError = defineError(4094, 'last_holder', 'Somebody active must remain {role}')
export const OwnAccountError = defineError(4094, 'own_account', 'Nobody does this to the own account')
export const NotPendingError = defineError(4094, 'not_pending', 'The user does not wait for an approval')
export const RegistrationPendingError = defineError(
  4094,
  'registration_pending',
  'The registration is not complete: approve it first',
)
export const PasswordPolicyError = defineError(4223, 'password_policy', 'The password is too easy to guess')
export const OverloadedError = defineError(5033, 'overloaded', 'Too many sign-ins at this moment')
