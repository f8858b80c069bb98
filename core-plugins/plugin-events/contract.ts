import { defineEvent } from '#kernel'

/** A plugin published an event of its own name, and whoever it is queued for will hear it; or it told one user. */
export const pluginEventsPublished = defineEvent<{
  readonly plugin: string
  /** 0 = the platform. */
  readonly tenantId: number
  /** `<plugin>.<what>`. */
  readonly type: string
  /** JSON, 32 KB at most. */
  readonly payload: unknown
  /** The user of the tenant who alone may hear it. */
  readonly userId?: number
}>('plugin_events.published')
