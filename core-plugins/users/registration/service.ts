import type { Knex } from 'knex'
import type { Scope, Tenant } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import {
  usersChanged,
  usersRegistered,
  type NewUser,
  type Registered,
  type Registration,
  type Registrations,
} from '../contract.ts'
import {
  EmailDomainRefusedError,
  EmailProofInvalidError,
  InvitationInvalidError,
  RegistrationOffError,
  UserDuplicateError,
} from '../errors.ts'
import { normaliseEmail } from '../identifier.ts'
import type { Invitation } from '../invitations/models.ts'
import type { InvitationStore } from '../invitations/store.ts'
import type { User } from '../models.ts'
import type { Passwords } from '../passwords/passwords.ts'
import { requireProfile } from '../profile-rules.ts'
import type { UserStore } from '../store.ts'
import { giveDefaultRole, initialRole, type DefaultRoleParts } from './default-role.ts'
import type { EmailProofs } from './email-proofs.ts'
import { isOfDomain } from './email-domain.ts'
import type { Pretences } from './pretences.ts'
import { giveInvited, inviterOf } from './inviter.ts'

/** What registrations stand on. */
interface RegistrationParts extends DefaultRoleParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly config: ConfigReader
  readonly passwords: Passwords
  readonly invitations: InvitationStore
  readonly proofs: EmailProofs
  readonly pretences: Pretences
}

/** How often a registration is overtaken by another with its address or number before it is given up. */
const mostTries = 3

/** What a newcomer is given and becomes. */
interface Admission {
  readonly invitation: Invitation | undefined
  /** Whether the invitation was to this very address, so that whoever has it may know what becomes of the address. */
  readonly isVouchedFor: boolean
  readonly status: Registered['status']
  /** What follows a proof of the address. */
  readonly next: 'active' | 'pending_approval'
  readonly giveRoles: (userId: number, trx: Knex.Transaction) => Promise<string>
}

type Newcomer = Pick<NewUser, 'email' | 'nickname' | 'phone' | 'locale' | 'passwordHash'>

/** Takes in people who register themselves, as far as their tenant lets them. */
export class RegistrationService implements Registrations {
  readonly #parts: RegistrationParts

  constructor(parts: RegistrationParts) {
    this.#parts = parts
  }

  async requireOpen(tenantId: number, inviteCode: string | undefined): Promise<void> {
    if (inviteCode !== undefined) return
    if (!(await this.#parts.config.get('allow_registration', tenantId, false))) throw new RegistrationOffError()
  }

  /** Answers alike whether or not the address has an account: only its owner hears which. */
  async register(tenant: Tenant, registration: Registration, tries = mostTries): Promise<Registered> {
    const { email: typed, password, nickname, phone, locale, inviteCode } = registration
    const { scope, store, passwords, pretences } = this.#parts
    const { id: tenantId, name: tenantName } = tenant
    requireProfile({ nickname })
    const email = normaliseEmail(typed)
    const admission = await this.#admit(tenantId, email, inviteCode)
    const passwordHash = await passwords.hash(password, { tenantId, tenantName, email, phone, nickname })
    const owner = await store.findByIdentifier(tenantId, email)
    const freePhone = await this.#freePhone(tenant, phone, owner)
    const newcomer = { email, nickname, locale, passwordHash, phone: freePhone }
    if (!admission.isVouchedFor) {
      await pretences.keep(tenant, owner, password)
      if (owner) return this.#rehearse(tenant, { ...newcomer, email: pretences.address() }, admission)
    }
    try {
      const registered = await scope.db.transaction((trx) => this.#take(tenant, newcomer, admission, trx))
      const { userId, status } = registered
      await scope.emit(usersChanged, { tenantId, userId, change: 'created' })
      await scope.emit(usersRegistered, { tenantId, userId, status })
      return registered
    } catch (error) {
      // Somebody else was faster with the same address, or the same number.
      if (!(error instanceof UserDuplicateError) || admission.isVouchedFor || tries === 1) throw error
      return this.register(tenant, registration, tries - 1)
    }
  }

  async verifyEmail(token: string): Promise<Registered> {
    const { scope, store, proofs, access } = this.#parts
    const { happened, status } = await scope.db.transaction(async (trx) => {
      const proof = await proofs.take(token, trx)
      const user = proof && (await store.findToChange(proof.tenantId, proof.userId, trx))
      if (!user || user.status !== 'pending_verification' || user.email !== proof.email) {
        throw new EmailProofInvalidError()
      }
      const change = { status: proof.nextStatus, emailVerifiedAt: new Date() }
      await store.patch(user.tenantId, user.id, change, trx)
      const to = proof.nextStatus === 'active' ? 'enabled' : 'updated'
      const happened = { tenantId: user.tenantId, userId: user.id, change: to } as const
      await scope.emitWithin(trx, usersChanged, happened)
      return { happened, status: proof.nextStatus }
    })
    await scope.emit(usersChanged, happened)
    const { tenantId, userId } = happened
    const roles = await access.rolesOf(tenantId, [userId])
    return { userId, initialRole: roles.get(userId)?.[0]?.code ?? initialRole, status }
  }

  async #take(
    tenant: Tenant,
    newcomer: Newcomer,
    { invitation, status, next, giveRoles }: Admission,
    trx: Knex.Transaction,
  ): Promise<Registered> {
    const { scope, store, invitations, proofs } = this.#parts
    const { id: tenantId } = tenant
    const user = await store.insert(tenantId, { ...newcomer, status }, trx)
    if (invitation && !(await invitations.take(invitation, user.id, trx))) throw new InvitationInvalidError()
    const role = await giveRoles(user.id, trx)
    if (status === 'pending_verification') await proofs.ask(tenant, user, next, trx)
    await scope.emitWithin(trx, usersChanged, { tenantId, userId: user.id, change: 'created' })
    return { userId: user.id, initialRole: role, status }
  }

  /** Does all that a registration takes under an address of nobody's, and keeps nothing of it. */
  async #rehearse(tenant: Tenant, newcomer: Newcomer, admission: Admission): Promise<Registered> {
    const trx = await this.#parts.scope.db.transaction()
    try {
      return await this.#take(tenant, newcomer, admission, trx)
    } finally {
      await trx.rollback()
    }
  }

  /** A number that is somebody's already is left out: nothing of it was proved. The answer says nothing of it, and its holder is told. */
  async #freePhone(tenant: Tenant, phone: string | undefined, owner: User | undefined): Promise<string | undefined> {
    if (phone === undefined) return undefined
    const { store, pretences } = this.#parts
    const holder = await store.findByPhone(tenant.id, phone)
    // Whoever has not proved an address yet may have given somebody else's; the owner of the address hears of all in one message.
    const isTold = holder?.status === 'active' && holder.id !== owner?.id
    await pretences.tellOfNumber(tenant, isTold ? holder : undefined)
    return holder ? undefined : phone
  }

  /** What the tenant's rules and the invitation make of a newcomer; throws when they let nobody in. */
  async #admit(tenantId: number, email: string, inviteCode: string | undefined): Promise<Admission> {
    const { config, invitations } = this.#parts
    await this.requireOpen(tenantId, inviteCode)
    const [needsApproval, domains, wanted] = await Promise.all([
      config.get('registration_approval', tenantId, false),
      config.get<readonly string[]>('allowed_email_domains', tenantId, []),
      config.get('default_role', tenantId, initialRole),
    ])
    const invitation = inviteCode === undefined ? undefined : await invitations.findOpen(tenantId, inviteCode)
    if (inviteCode !== undefined && !invitation) throw new InvitationInvalidError()
    if (invitation && ![null, email].includes(invitation.email)) throw new InvitationInvalidError()
    // An invitation to this very address vouches for it.
    const isVouchedFor = typeof invitation?.email === 'string'
    if (!isVouchedFor && domains.length > 0 && !isOfDomain(email, domains)) throw new EmailDomainRefusedError()
    const next = needsApproval && !invitation ? 'pending_approval' : 'active'
    const giveRoles = await this.#roles(tenantId, invitation, wanted)
    return { invitation, isVouchedFor, next, status: isVouchedFor ? next : 'pending_verification', giveRoles }
  }

  async #roles(tenantId: number, invitation: Invitation | undefined, wanted: string): Promise<Admission['giveRoles']> {
    const { access } = this.#parts
    const inviter = invitation && (await inviterOf(this.#parts, invitation))
    return async (userId, trx) => {
      if (invitation && inviter) await giveInvited(access, invitation, { inviter, userId }, trx)
      const [first] = invitation?.roles ?? []
      return first ?? giveDefaultRole(this.#parts, { tenantId, userId, wanted }, trx)
    }
  }
}
