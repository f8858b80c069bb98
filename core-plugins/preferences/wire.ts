import type { BodyOf } from '#kernel/schemas'
import type { describedPreference, globalUpdated } from './schemas.ts'

/** A preference with what a form for it has to know. */
export type PreferenceBody = BodyOf<typeof describedPreference>
/** What a change of what holds for everybody did, or would do. */
export type GlobalPreferencesBody = BodyOf<typeof globalUpdated>
