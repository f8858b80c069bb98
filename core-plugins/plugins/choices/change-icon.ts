import type { Principal } from '#kernel'
import { changeChoice, finishChoice } from './choose.ts'
import { findPlugin } from '../shared/find-plugin.ts'
import type { PluginRow } from '../shared/models.ts'
import type { Operation } from '../operations/operation.ts'
import type { ChoiceNeeds, IconNeeds } from './needs.ts'
import { holdIcon, keepIcon, pruneIcons, type Icon } from './icon-store.ts'

/** Shows this picture for a plugin, or with null the package's again. */
export async function changeIcon(
  parts: ChoiceNeeds & IconNeeds,
  plugin: PluginRow,
  icon: Icon | null,
  actor: Principal,
): Promise<void> {
  let attachment: string | undefined
  await changeChoice(parts, plugin, actor, {
    kind: 'icon',
    action: 'plugin.icon_changed',
    ...(icon && { prepare: async () => void (attachment = await keepIcon(parts, plugin.name, icon)) }),
    async choose(row, trx) {
      if (row.icon?.sha256 === icon?.sha256) return undefined
      await holdIcon(parts, trx, row.name, attachment)
      return {
        icon: icon && { sha256: icon.sha256, content_type: icon.contentType, ...(attachment && { attachment }) },
      }
    },
  })
  await dropOtherIcons(parts, plugin.name)
}

/** What is left to do once a picture was chosen. */
export async function finishIcon(parts: ChoiceNeeds & IconNeeds, operation: Operation): Promise<void> {
  await finishChoice(parts, operation)
  await dropOtherIcons(parts, operation.plugin)
}

/** Deletes the pictures of a plugin that nobody sees any more. */
export async function dropOtherIcons(
  parts: Pick<IconNeeds, 'db' | 'storage' | 'attachments'>,
  name: string,
): Promise<void> {
  const plugin = await findPlugin(parts.db, name)
  await pruneIcons(parts, name, plugin?.icon)
}
