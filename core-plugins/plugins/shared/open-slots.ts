import type { Principal } from '#kernel'
import { permissionCode, type PluginManifest, type Slot } from '#sandbox'

/** The entries of a plugin in one part of the console that somebody may open. */
export function openSlots(
  { name, slots = [] }: Pick<PluginManifest, 'name' | 'slots'>,
  area: NonNullable<Slot['area']>,
  principal: Pick<Principal, 'can'>,
): readonly Slot[] {
  return slots.filter((slot) => {
    const isOpen = slot.permission === undefined || principal.can(permissionCode(name, slot.permission))
    return isOpen && (slot.area ?? 'tenant') === area
  })
}
