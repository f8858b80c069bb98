import { shortenSaid, type Said } from '#kernel'
import type { Knex } from 'knex'
import type { Access } from '../../access/contract.ts'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'

/** What a notice may take: see `NewNotification`. */
const mostCharacters = 2_000
const kind = 'plugins.tell'

/** What administrators are told of a plugin. */
interface Notice {
  readonly plugin: string
  readonly title: Said
  readonly body: Said
}

/** Tells the administrators who may upgrade plugins, if the transaction commits, and whatever becomes of this host. */
export async function queueNotice(trx: Knex.Transaction, jobs: Jobs, notice: Notice): Promise<void> {
  await jobs.enqueue(trx, kind, notice)
}

/** How queued notices are told; a host that dies over one leaves it to another, which may tell somebody a second time. */
export function noticeJobs({
  access,
  notifier,
}: {
  readonly access: Access
  readonly notifier: Notifier
}): JobKind<Notice> {
  return {
    kind,
    async run({ payload: { plugin, title, body } }) {
      const message = { title, body: shortenSaid(body, mostCharacters), level: 'error', source: 'plugins' } as const
      for (const userId of await access.usersWith(0, 'platform_plugin:upgrade'))
        await notifier.send({ ...message, link: `/plugins/${plugin}`, tenantId: 0, userId })
    },
  }
}
