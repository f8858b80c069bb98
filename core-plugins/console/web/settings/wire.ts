import type { ConfigGroupBody, ConfigItemBody } from '../../../config/wire.ts'

/** A group of settings, with those below it. */
export type ConfigGroup = ConfigGroupBody
/** One setting, as it is now and as it may be. */
export type ConfigItem = ConfigItemBody
