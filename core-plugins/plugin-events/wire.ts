import type { BodyOf } from '#kernel/schemas'
import type { eventBody } from './schemas.ts'

/** An event that waits for a plugin, or was set aside. */
export type PluginEventBody = BodyOf<typeof eventBody>
