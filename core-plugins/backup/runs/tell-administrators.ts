import { shortenSaid, type Said } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { JobKind } from '../../jobs/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'

const most = 2_000

/** The kind of the jobs that tell administrators. */
export const tellKind = 'backup.tell'

/** Tells every administrator who may have backups made what went wrong. */
export function tellAdministrators({
  access,
  notifier,
}: {
  readonly access: Access
  readonly notifier: Notifier
}): JobKind<{
  readonly title: string | Said /** A plain one is of a job of before. */
  readonly error: string | Said
}> {
  return {
    kind: tellKind,
    async run({ payload: { title, error } }) {
      const roles = (await access.listRoles(0)).filter(({ permissions }) =>
        permissions.some((held) => covering.has(held)),
      )
      const holders = await Promise.all(roles.map(({ code }) => access.holdersOf(0, code)))
      const body = typeof error === 'string' ? error.slice(0, most) : shortenSaid(error, most)
      const message = { tenantId: 0, title, body, level: 'error', link: '/backups', source: 'backup' } as const
      for (const userId of new Set(holders.flat())) await notifier.send({ ...message, userId })
    },
  }
}

const covering: ReadonlySet<string> = new Set(['platform_backup:run', 'platform_backup:*', '*', '*:*'])
