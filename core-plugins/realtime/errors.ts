import { defineError } from '#kernel'

export const TokenInAddressError = defineError(
  4000,
  'token_in_address',
  'Access tokens do not belong in addresses: ask for a ticket, or send the token in the first frame',
)
export const FrameInvalidError = defineError(4220, 'frame_invalid', 'The frame {fault}')
export const NoLastIdError = defineError(4002, 'no_last_id', 'There is no event to go on from')
export const OtherCallerError = defineError(4030, 'other_caller', 'A connection goes on only with the same user')
