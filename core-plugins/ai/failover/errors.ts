import { defineError } from '#kernel'

export const NoTargetLeftError = defineError(
  4095,
  'would_leave_no_target',
  'Nothing would be left that answers for {route}: say force to do it all the same',
)
export const UnknownTargetError = defineError(4040, 'ai_target_not_found', 'No route and no model has this target')
