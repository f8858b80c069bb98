import { defineEvent, defineService } from '#kernel'

/** What a start has to say to whoever started the process; of a first start that includes its secrets, so it goes to no log. */
interface Announcement {
  readonly text: string
}

/** What a start has to say. */
export const announcement = defineService<Announcement>('first_run.announcement')

/** The first start of a database gave it a demo tenant: whoever has something to look at beside it may add that. */
export const firstRunDemoSeeded = defineEvent<Record<never, never>>('first_run.demo_seeded')
