import { ValidationFailedError } from '#kernel'
import { readAddress, type Address } from './code-binding.ts'

/** What a body says about an address. */
export interface AddressBody {
  readonly channel?: Address['channel']
  readonly email?: string
  readonly phone?: string
}

/** The address of a body; throws 422/4220 where the channel is not that of the address. */
export function addressOf({ channel, email, phone }: AddressBody): Address {
  const own = email === undefined ? 'sms' : 'email'
  if (channel !== undefined && channel !== own) {
    const field = channel === 'email' ? 'email' : 'phone'
    throw new ValidationFailedError({ errors: [{ field, rule: 'required', message: 'is missing for the channel' }] })
  }
  return readAddress(own, email ?? phone ?? '')
}
