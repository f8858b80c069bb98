/** What a user can be. */
export const userStatuses = ['active', 'disabled', 'pending_approval', 'pending_verification'] as const
/** Whether a user may sign in, and if not, why. */
export type UserStatus = (typeof userStatuses)[number]
