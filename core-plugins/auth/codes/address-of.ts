import { ValidationFailedError } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import type { Address } from './code-binding.ts'

/** What a body says about an address. */
interface AddressBody {
  readonly channel?: Address['channel']
  readonly email?: string
  readonly phone?: string
}

/** The address of a body, in its one spelling; throws 422/4220 where the channel is not that of the address. */
export function addressOf({ channel, email, phone }: AddressBody, users: Pick<UserDirectory, 'spell'>): Address {
  const own = email === undefined ? 'sms' : 'email'
  if (channel !== undefined && channel !== own) {
    const field = channel === 'email' ? 'email' : 'phone'
    throw new ValidationFailedError({ errors: [{ field, rule: 'required', message: 'is missing for the channel' }] })
  }
  return { channel: own, address: users.spell(email ?? phone ?? '') }
}
