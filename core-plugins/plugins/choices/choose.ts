import type { Principal } from '#kernel'
import type { Knex } from 'knex'
import { pluginsAppearanceChanged, pluginsCapabilitiesChanged } from '../contract.ts'
import { PluginStatusError } from '../shared/errors.ts'
import type { PluginRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { ChoiceNeeds } from './needs.ts'
import { wantPlugin } from '../running/desired-state.ts'
import { settleRunning } from '../running/settle.ts'
import { getPlugin } from '../shared/find-plugin.ts'

/** The columns of a plugin that administrators choose. */
type ChosenColumns = Partial<Pick<PluginRow, 'menuConfig' | 'icon' | 'withheld'>>

/** Something that an administrator chooses about a plugin, whichever release is active. */
interface Choice {
  readonly kind: 'capabilities' | 'menu_config' | 'icon'
  /** Such as `plugin.icon_changed`. */
  readonly action: string
  /** Whether hosts must load the plugin anew for it. */
  readonly reload?: boolean
  /** Work outside of the database before anything is changed; repeated after a crash it does no harm. */
  readonly prepare?: (operation: Operation) => Promise<void>
  /** The new values, from the plugin under its lock; throws what is wrong with them. Undefined = nothing changes. */
  readonly choose: (plugin: PluginRow, trx: Knex.Transaction) => Promise<ChosenColumns | undefined>
}

interface Committed {
  readonly generation: number | null
  readonly after: ChosenColumns
}

/** Writes down what was chosen and lets every host follow. */
export async function changeChoice(
  parts: ChoiceNeeds,
  plugin: PluginRow,
  actor: Principal,
  choice: Choice,
): Promise<void> {
  const { kind, action, reload = false, prepare, choose } = choice
  const request = { plugin: plugin.name, pluginId: plugin.id, kind, actor: actor.userId }
  await parts.operations.run(request, async (operation) => {
    if (prepare) await operation.step('prepare', () => prepare(operation))
    await operation.change(
      'commit',
      async (trx): Promise<Committed> => {
        const row = await getPlugin(trx, plugin.name)
        if (row.removing) throw new PluginStatusError({ status: 'removing' })
        const after = await choose(row, trx)
        if (!after) return { generation: null, after: {} }
        const columns = Object.keys(after) as (keyof ChosenColumns)[]
        const before = Object.fromEntries(columns.map((column) => [column, row[column]]))
        await parts.audit.record({ tenantId: 0, actor, action, target: `plugin:${row.name}`, before, after }, trx)
        return { generation: await wantPlugin(trx, row.id, after, { reload }), after }
      },
      { commits: true },
    )
    await finishChoice(parts, operation)
  })
}

/** What is left to do once something was chosen. */
export async function finishChoice(parts: ChoiceNeeds, operation: Operation): Promise<void> {
  const { generation, after } = operation.result<Committed>('commit')
  if (generation === null) return
  await operation.step('converge', () => settleRunning(parts, operation, generation))
  // Whoever shows menus and permissions learns that they are others now.
  await parts.access.invalidate('all')
  const { plugin: name } = operation
  const { withheld } = after
  if (withheld) await parts.emit(pluginsCapabilitiesChanged, { name, withheld })
  else await parts.emit(pluginsAppearanceChanged, { name })
}
