import type { Knex } from 'knex'
import type { Access } from '../../access/contract.ts'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { HookRow, type PausedFor } from '../models.ts'
import { texts } from '../texts/texts.ts'

const tellKind = 'webhooks.tell'

interface TellParts {
  readonly db: Knex
  readonly access: Pick<Access, 'usersWith'>
  readonly notifier: Pick<Notifier, 'send'>
  readonly users: Pick<UserDirectory, 'find'>
}

interface Payload {
  readonly id: string
}

/** Pauses a hook, and has whoever it belongs to told, in one transaction. */
export async function pause(
  trx: Knex.Transaction,
  jobs: Pick<Jobs, 'enqueue'>,
  { id, tenantId }: Pick<HookRow, 'id' | 'tenantId'>,
  pausedFor: Exclude<PausedFor, 'asked'>,
): Promise<void> {
  const active = HookRow.of(tenantId, trx).where({ id, state: 'active' })
  const paused = await active.patch({ state: 'paused', pausedFor, updatedAt: new Date() })
  if (paused > 0) await jobs.enqueue(trx, tellKind, { id } satisfies Payload, { tenant: tenantId })
}

/** Tells the owner of a paused hook; of a tenant's whose owner is gone, those who may change it. */
export function tellJobs(parts: TellParts): JobKind<Payload> {
  return {
    kind: tellKind,
    async run({ tenantId, payload }) {
      const hook = await HookRow.of(tenantId, parts.db).findById(payload.id).where({ state: 'paused' })
      if (!hook || hook.pausedFor === 'asked' || hook.pausedFor === null) return
      const title = texts.keep('notice.paused', { name: hook.name })
      const body = texts.keep(`notice.paused_${hook.pausedFor}`)
      const link = linkOf(hook)
      const message = {
        tenantId,
        title,
        body,
        level: 'warning',
        link,
        source: 'webhooks',
        kind: 'webhooks.paused',
      } as const
      for (const userId of await readersOf(hook, parts)) await parts.notifier.send({ ...message, userId })
    },
  }
}

async function readersOf(
  { tenantId, ownerId, seenBy }: HookRow,
  { access, users }: TellParts,
): Promise<readonly number[]> {
  const userId = ownerId ?? seenBy
  if ((await users.find(tenantId, userId))?.status === 'active') return [userId]
  if (ownerId !== null) return []
  return access.usersWith(tenantId, tenantId === 0 ? 'platform_webhook:update' : 'tenant_webhook:update')
}

function linkOf({ id, tenantId, ownerId }: HookRow): string {
  if (ownerId !== null) return '/notifications'
  return `/${tenantId === 0 ? 'admin' : 'tenant'}/webhooks/${id}`
}
