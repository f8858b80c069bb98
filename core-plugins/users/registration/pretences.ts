import { createHmac, randomUUID } from 'node:crypto'
import type { Scope, Tenant } from '#kernel'
import type { MessageSender } from '../../mail/contract.ts'
import type { User } from '../models.ts'

/** As long as an unproved registration stays. */
const KEPT_SECONDS = 24 * 3_600
/** The owner of an address hears of it so often, however often somebody registers with it. */
const QUIET_SECONDS = 3_600

/** What pretences stand on. */
export interface PretencesParts {
  readonly scope: Pick<Scope, 'cache' | 'secrets'>
  readonly messages: MessageSender
}

/**
 * Registrations that were answered like any other although the address has an account: its owner is told, and whoever then signs in
 * with the password that was given is told what they would be told had the address been free.
 */
export class Pretences {
  readonly #parts: PretencesParts

  constructor(parts: PretencesParts) {
    this.#parts = parts
  }

  /** An address that nobody has, for a registration of which nothing is kept. */
  address(): string {
    return `${randomUUID()}@registration.invalid`
  }

  /** Remembers the password, and tells the owner unless that was a moment ago. */
  async keep(tenant: Tenant, owner: User, password: string): Promise<void> {
    const { cache } = this.#parts.scope
    const told = `users.pretence.told:${tenant.id}:${owner.id}`
    const nobody = (await cache.get<boolean>(told)) === true
    await cache.set(told, true, QUIET_SECONDS)
    await cache.set(this.#keyOf(owner, password), true, KEPT_SECONDS)
    const values = { tenant: tenant.name, nickname: owner.nickname, link: `${tenant.baseUrl}/login` }
    const message = { tenantId: tenant.id, channel: 'email', to: owner.email ?? '', template: 'address_taken' } as const
    await this.#parts.messages.send({ ...message, values, nobody, locale: owner.locale })
  }

  /** Whether somebody was answered so who gave this password. */
  async has(owner: User, password: string): Promise<boolean> {
    return (await this.#parts.scope.cache.get<boolean>(this.#keyOf(owner, password))) === true
  }

  #keyOf({ tenantId, id }: User, password: string): string {
    const key = this.#parts.scope.secrets.derive('users.pretence')
    const digest = createHmac('sha256', key).update(`${tenantId}:${id}:${password}`).digest('base64url')
    return `users.pretence:${digest}`
  }
}
