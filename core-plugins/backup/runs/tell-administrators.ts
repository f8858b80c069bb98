import type { Access } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'

/** Tells every administrator who may have backups made what went wrong. */
export async function tellAdministrators(
  { access, notifier }: { readonly access: Access; readonly notifier: Notifier },
  title: string,
  error: string,
): Promise<void> {
  const roles = (await access.listRoles(0)).filter(({ permissions }) => permissions.some((held) => covering.has(held)))
  const holders = await Promise.all(roles.map(({ code }) => access.holdersOf(0, code)))
  for (const userId of new Set(holders.flat())) {
    const body = error.slice(0, 2_000)
    await notifier.send({
      tenantId: 0,
      userId,
      title,
      body,
      level: 'error',
      link: '/backups',
      source: 'backup',
    })
  }
}

const covering: ReadonlySet<string> = new Set(['platform_backup:run', 'platform_backup:*', '*', '*:*'])
