import { defineService } from '#kernel'

/** The files that browsers load. */
export interface ConsoleBuild {
  /** Makes them anew, in a process of its own, where they are not those of the sources; never in production. Does not throw. */
  bringUpToDate(): Promise<void>
}

/** The files that browsers load. */
export const consoleBuild = defineService<ConsoleBuild>('console.build')
