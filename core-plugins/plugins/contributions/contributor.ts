import type { Scope } from '#kernel'
import type { LoadedPlugin } from '../running/loaded-plugin.ts'

/** Adds what a plugin provides beside its routes; what it keeps on the scope lives for as long as the plugin runs on this host. */
export type Contributor = (scope: Scope, plugin: LoadedPlugin) => void
