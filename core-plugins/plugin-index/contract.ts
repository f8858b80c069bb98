import { defineEvent } from '#kernel'

/** An index source was added, changed, removed or read anew. */
export const pluginSourcesChanged = defineEvent<{ readonly source: string }>('plugin_index.sources_changed')
/** A source revoked a release that is installed. */
export const pluginsRevoked = defineEvent<{
  readonly name: string
  readonly version: string
  readonly action: 'warn' | 'block_install' | 'disable'
  readonly reason: string
}>('plugin_index.revoked')
