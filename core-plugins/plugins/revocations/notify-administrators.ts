import type { Access } from '../../access/contract.ts'
import type { NewNotification, Notifier } from '../../notifications/contract.ts'

/** The platform. */
const PLATFORM = 0

/** Sends a message to every administrator of the platform who holds a permission; answers how many there are. */
export async function notifyAdministrators(
  { access, notifier }: { readonly access: Access; readonly notifier: Notifier },
  permission: string,
  message: Omit<NewNotification, 'tenantId' | 'userId' | 'source'>,
): Promise<number> {
  const roles = (await access.listRoles(PLATFORM)).filter(({ permissions }) => permissions.some(covers(permission)))
  const holders = await Promise.all(roles.map(({ code }) => access.holdersOf(PLATFORM, code)))
  const users = [...new Set(holders.flat())]
  for (const userId of users) await notifier.send({ ...message, tenantId: PLATFORM, userId, source: 'plugins' })
  return users.length
}

/** Whether a role's permission, which may end in a wildcard, gives this one. */
function covers(permission: string): (held: string) => boolean {
  const [resource] = permission.split(':')
  return (held) => held === permission || held === '*' || held === '*:*' || held === `${resource}:*`
}
