import { defineService } from '#kernel'

/** What a start has to say to whoever started the process; of a first start that includes its secrets, so it goes to no log. */
export interface Announcement {
  readonly text: string
}

/** What a start has to say. */
export const announcement = defineService<Announcement>('first_run.announcement')
