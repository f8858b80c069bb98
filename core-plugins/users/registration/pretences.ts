import { createHmac, randomUUID } from 'node:crypto'
import type { Scope, Tenant } from '#kernel'
import type { MessageSender } from '../../mail/contract.ts'
import type { User } from '../models.ts'

/** As long as an unproved registration stays. */
const keptSeconds = 24 * 3_600
/** The owner of an address hears of it so often, however often somebody registers with it. */
const quietSeconds = 3_600
/** What was done for nobody. */
const forgottenSeconds = 1
const nobodysId = 0

/** What pretences stand on. */
interface PretencesParts {
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

  /**
   * Remembers the password, and tells the owner unless that was a moment ago. Of an address that is nobody's as much is done for
   * nobody: who waits for the answer learns nothing from its time.
   */
  async keep(tenant: Tenant, owner: User | undefined, password: string): Promise<void> {
    await this.#tell(tenant, owner, 'address_taken')
    const named = owner ?? { tenantId: tenant.id, id: nobodysId }
    await this.#parts.scope.cache.set(this.#keyOf(named, password), true, owner ? keptSeconds : forgottenSeconds)
  }

  /** Tells whoever has a number that somebody registered with it, unless that was a moment ago; undefined as above. */
  async tellOfNumber(tenant: Tenant, holder: User | undefined): Promise<void> {
    await this.#tell(tenant, holder, 'number_taken')
  }

  async #tell(tenant: Tenant, owner: User | undefined, template: 'address_taken' | 'number_taken'): Promise<void> {
    const { cache } = this.#parts.scope
    const told = `users.pretence.told:${template}:${tenant.id}:${owner?.id ?? randomUUID()}`
    const nobody = (await cache.get<boolean>(told)) === true || owner === undefined
    await cache.set(told, true, owner ? quietSeconds : forgottenSeconds)
    const values = { tenant: tenant.name, nickname: owner?.nickname ?? '', link: `${tenant.baseUrl}/console/login` }
    const to = owner?.email ?? this.address()
    const message = { tenantId: tenant.id, channel: 'email', to, template } as const
    await this.#parts.messages.send({ ...message, values, nobody, locale: owner?.locale })
  }

  /** Whether somebody was answered so who gave this password. */
  async has(owner: User, password: string): Promise<boolean> {
    return (await this.#parts.scope.cache.get<boolean>(this.#keyOf(owner, password))) === true
  }

  #keyOf({ tenantId, id }: Pick<User, 'tenantId' | 'id'>, password: string): string {
    const key = this.#parts.scope.secrets.derive('users.pretence')
    const digest = createHmac('sha256', key).update(`${tenantId}:${id}:${password}`).digest('base64url')
    return `users.pretence:${digest}`
  }
}
