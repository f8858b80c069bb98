import { requireQuiet } from '../../../plugins/require-quiet.ts'
import { useFollowing } from '../../../plugins/use-operation.ts'
import type { PluginRow } from '../../../plugins/wire.ts'
import { session } from '../../../session/session.ts'

/** What is done to one plugin of a list, or to many. */
export type PluginVerb = 'enable' | 'disable' | 'upgrade'

/** What has to be known of one. */
type ChangedPlugin = Pick<PluginRow, 'name' | 'status' | 'update_available'>

/** The release that a plugin could be upgraded to. */
export function updateOf({ update_available: update }: Pick<PluginRow, 'update_available'>): string | undefined {
  return update?.version
}

/** The other one. */
function backOf(verb: 'enable' | 'disable'): 'enable' | 'disable' {
  return verb === 'enable' ? 'disable' : 'enable'
}

/** Does it, and follows it to its end. */
export function usePluginVerbs() {
  const { follow } = useFollowing()

  /** Those that are so already, or have nothing newer, are left as they are. */
  async function change(row: ChangedPlugin, verb: PluginVerb): Promise<void> {
    const place = `/admin/plugins/${row.name}/${verb}`
    if (verb === 'upgrade') {
      const version = updateOf(row)
      if (version === undefined) return
      await requireQuiet(row.name, version, { mayAsk: true })
      await follow('POST', place, { body: { version } })
    } else if (wouldChange(row, verb)) await follow('POST', place)
  }
  /** Makes one again what it was before; one that was so already stays so. */
  async function takeBack(row: ChangedPlugin, verb: 'enable' | 'disable'): Promise<void> {
    if (wouldChange(row, verb)) await follow('POST', `/admin/plugins/${row.name}/${backOf(verb)}`)
  }
  /** What takes it back, for whoever may. */
  function undoOf(verb: PluginVerb): ((row: ChangedPlugin) => Promise<void>) | undefined {
    // An upgrade goes back by a rollback, which tells first what it takes away.
    if (verb === 'upgrade' || !session.can(`platform_plugin:${backOf(verb)}`)) return undefined
    return (row) => takeBack(row, verb)
  }
  return { change, undoOf }
}

function wouldChange({ status }: ChangedPlugin, verb: 'enable' | 'disable'): boolean {
  return (status === 'enabled') === (verb === 'disable')
}
