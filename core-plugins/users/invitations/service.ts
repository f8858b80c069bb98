import type { Knex } from 'knex'
import {
  createOneTimeToken,
  NotFoundError,
  type Page,
  presentPage,
  type Principal,
  type Scope,
  type Tenant,
} from '#kernel'
import type { Access, Audit, Writer } from '../../access/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import { UserDuplicateError } from '../errors.ts'
import { normaliseEmail } from '../identifier.ts'
import type { UserReach } from '../reach.ts'
import type { UserStore } from '../store.ts'
import { recordWrite } from '../user-log.ts'
import type { Invitation } from './models.ts'
import { presentInvitation } from './present.ts'
import type { InvitationFilter, InvitationStore } from './store.ts'

/** What invitations stand on. */
interface InvitationParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly invitations: InvitationStore
  readonly access: Access
  readonly audit: Audit
  readonly messages: MessageSender
  readonly reach: UserReach
}

/** An invitation as an administrator makes it. */
interface InvitationToCreate {
  /** The only address it will be good for. */
  readonly email: string | undefined
  readonly roles: readonly string[]
  readonly orgIds: readonly number[] | undefined
  readonly hours: number
  /** Whether it goes to the address by mail. */
  readonly send: boolean
}

/** Invitations as administrators make and take them back; what they give is checked now, and again when they are used. */
export class InvitationService {
  readonly #parts: InvitationParts

  constructor(parts: InvitationParts) {
    this.#parts = parts
  }

  async list(principal: Principal, page: Page, filter: InvitationFilter) {
    const plan = await this.#parts.reach.plan(principal, 'create')
    const { results, total } = await this.#parts.invitations.list(principal.tenantId, page, plan, filter)
    return presentPage(page, total, results.map(presentInvitation))
  }

  async create(tenant: Tenant, wanted: InvitationToCreate, writer: Writer) {
    const { scope, store, invitations, access, audit, reach } = this.#parts
    const { id: tenantId } = tenant
    const email = wanted.email === undefined ? null : normaliseEmail(wanted.email)
    if (email !== null && (await store.findByIdentifier(tenantId, email))) {
      throw new UserDuplicateError({ field: 'email' }, { details: { field: 'email' } })
    }
    const orgIds = await reach.nodesFor(writer.principal, wanted.orgIds)
    const { token, hash: codeHash } = createOneTimeToken()
    const link = linkOf(tenant, { invite_code: token, ...(email && { email }) })
    const expiresAt = new Date(Date.now() + wanted.hours * 3_600_000)
    const invitedBy = writer.principal.userId
    const given = { email, roles: [...wanted.roles], orgIds: [...orgIds] }
    const made = await scope.db.transaction(async (trx) => {
      await access.requireMayGive(writer.principal, given, trx)
      const row = await invitations.insert(tenantId, { ...given, codeHash, invitedBy, expiresAt }, trx)
      if (email !== null && wanted.send) await this.#send(tenant, { email, link, hours: wanted.hours, invitedBy }, trx)
      await recordWrite(audit, { ...targetOf(row), what: 'invited', after: presentInvitation(row) }, writer, trx)
      return row
    })
    return { id: made.id, invite_code: token, invite_url: link, expires_at: expiresAt.toISOString() }
  }

  async delete(id: number, writer: Writer): Promise<void> {
    const { scope, invitations, audit, reach } = this.#parts
    const plan = await reach.plan(writer.principal, 'create')
    await scope.db.transaction(async (trx) => {
      const row = await invitations.delete(writer.principal.tenantId, id, plan, trx)
      if (!row) throw new NotFoundError()
      await recordWrite(
        audit,
        { ...targetOf(row), what: 'invite_deleted', before: presentInvitation(row) },
        writer,
        trx,
      )
    })
  }

  async #send(
    tenant: Tenant,
    { email, link, hours, invitedBy }: { email: string; link: string; hours: number; invitedBy: number },
    trx: Knex.Transaction,
  ): Promise<void> {
    const inviter = await this.#parts.store.find(tenant.id, invitedBy, trx)
    const time = hours % 24 === 0 ? { days: hours / 24 } : { hours }
    const values = { link, tenant: tenant.name, ...time, ...(inviter?.nickname && { inviter: inviter.nickname }) }
    const message = { tenantId: tenant.id, channel: 'email', to: email, template: 'invitation' } as const
    // Whoever reads it becomes what the inviter may make of somebody.
    const opens = { tenantId: tenant.id, userId: invitedBy }
    await this.#parts.messages.send({ ...message, values, opens }, trx)
  }
}

/** Where it is taken; it names the tenant, which a host of the platform does not. */
function linkOf({ baseUrl, code }: Tenant, invitation: Readonly<Record<string, string>>): string {
  return `${baseUrl}/console/register#${new URLSearchParams({ tenant_code: code, ...invitation }).toString()}`
}

function targetOf({ tenantId, id }: Invitation) {
  return { tenantId, target: `invitation:${id}` }
}
