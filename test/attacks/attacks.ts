import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { database } from './kinds/database.ts'
import { lanekill } from './kinds/lanekill.ts'
import { installs, manyPlugins } from './kinds/many-plugins.ts'
import { messages } from './kinds/messages.ts'
import { silentDns, slowServers } from './kinds/outgoing.ts'
import { events, schedules } from './kinds/own-time.ts'
import { unreadAnswers } from './kinds/unread-answers.ts'
import { upgrades } from './kinds/upgrades.ts'

/** The control: what fails here is the machine's. */
const nothing: Attack = {
  name: 'nothing',
  prepare: () =>
    Promise.resolve(async (isOver) => {
      while (!isOver()) await sleep(50)
    }),
}

/** Everything that is tried in a whole run, one after the other. */
export const attacks: readonly Attack[] = [
  nothing,
  ...lanekill,
  ...messages,
  unreadAnswers,
  manyPlugins,
  installs,
  silentDns,
  slowServers,
  ...database,
  events,
  schedules,
  upgrades,
]
