import type { LoadPlugin } from './contract.ts'

export type * from './contract.ts'

/** Starts a plugin for its tests. `stoa test` provides it; the folder is the one with manifest.json. */
export declare const loadPlugin: LoadPlugin
