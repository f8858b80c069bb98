import type { Principal } from '#kernel'
import { permissionCode } from '../manifest/names.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { GuestUser } from '../services.ts'

/** Makes callers of a plugin what the guest sees of them: their id, and which of its own permissions they hold. */
export function createGuestUsers({
  name,
  permissions = [],
}: PluginManifest): (caller: Pick<Principal, 'userId' | 'can'>) => GuestUser {
  const codes = permissions.map(({ code }) => ({ code, full: permissionCode(name, code) }))
  return (caller) => ({
    id: caller.userId,
    permissions: codes.flatMap(({ code, full }) => (caller.can(full) ? code : [])),
  })
}
