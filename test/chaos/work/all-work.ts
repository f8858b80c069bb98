import { eventsWork } from './events.ts'
import { filesWork } from './files.ts'
import { keyedWork } from './keyed.ts'
import { rowsWork } from './rows.ts'
import { schedulesWork } from './schedules.ts'
import { sessionsWork } from './sessions.ts'
import { settingsWork } from './settings.ts'
import type { Work, WorkParts } from './work.ts'

/** All that callers do meanwhile. */
export function allWork(parts: WorkParts): readonly Work[] {
  const makers = [rowsWork, keyedWork, sessionsWork, filesWork, eventsWork, settingsWork, schedulesWork]
  return makers.map((make) => make(parts))
}
