import { defineService } from '#kernel'
import type { Knex } from 'knex'

/** Why a plugin is stopped by nobody. */
export interface Stop {
  /** What administrators read of the plugin from then on. */
  readonly reason: string
  /** What the operation says of itself. */
  readonly options: Readonly<Record<string, unknown>>
  /** Written with the stop; by itself where the plugin does not run. */
  readonly mark: (db: Knex) => Promise<void>
}

/** What other core plugins do to plugins, as operations under their locks. */
export interface PluginOperations {
  /** Switches a plugin off on every host; answers whether it is: a plugin that is busy is left alone. */
  stop(plugin: { readonly id: number; readonly name: string }, stop: Stop): Promise<boolean>
}

/** What other core plugins do to plugins, as operations under their locks. */
export const pluginOperations = defineService<PluginOperations>('plugins.operations')
