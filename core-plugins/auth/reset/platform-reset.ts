import type { UserDirectory } from '../../users/contract.ts'
import type { AdminReset } from '../contract.ts'
import type { ResetRequests } from '../codes/reset-requests.ts'

/** Gives whoever commands the server a link for an administrator's new password. */
export class PlatformReset implements AdminReset {
  readonly #users: UserDirectory
  readonly #requests: ResetRequests

  constructor(users: UserDirectory, requests: ResetRequests) {
    this.#users = users
    this.#requests = requests
  }

  async createLink(email: string): Promise<{ token: string; url: string } | undefined> {
    const user = await this.#users.findByIdentifier(0, email)
    return user?.email && user.status === 'active' ? this.#requests.createLink(null, user) : undefined
  }
}
