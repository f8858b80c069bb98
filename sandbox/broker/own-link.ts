import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import { optionalTextOf } from './argument.ts'
import type { Argument } from './capability.ts'
import { Refusal } from './refusal.ts'

const maxLink = 500
/** A slot's id, and what the page there is told behind it: nothing that could lead elsewhere. */
const linkForm = /^\/([a-z0-9]+(?:[_-][a-z0-9]+)*)((?:[?#][A-Za-z0-9_.~%&=+,:;@!*/?-]*)?)$/

/** Reads the `link` of an argument: the console's path of one of the plugin's own pages, or null. */
export function ownLinks({ name, slots = [] }: Pick<PluginManifest, 'name' | 'slots'>) {
  const ids = new Set(slots.map(({ id }) => id))
  return (argument: Argument): string | null => {
    const link = optionalTextOf(argument, 'link')
    if (link === undefined) return null
    const [, slot = '', rest = ''] = (link.length <= maxLink && linkForm.exec(link)) || []
    if (ids.has(slot)) return `/plugins/${name}/${slot}${rest}`
    throw new Refusal('invalid', 'link_not_own', 'link must be / and the id of one of the plugin’s slots')
  }
}
