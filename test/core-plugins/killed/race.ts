import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import type { MortalPlatform } from './world.ts'

/** Something that an administrator asks for. */
export type Wish = (admin: Api) => Promise<Answer>

/** Asks for all of it at once, of one host after the other; the first cannot end before the others were answered. */
export async function race(platform: MortalPlatform, wishes: readonly Wish[]): Promise<readonly Answer[]> {
  const admins = [await platform.admin(platform.other), await platform.admin(platform.victim)] as const
  const answers: Answer[] = []
  const asked: Promise<unknown>[] = []
  await platform.db.transaction(async (trx) => {
    await trx('plugin_desired_state').forUpdate()
    for (const [index, wish] of wishes.entries()) {
      asked.push(wish(admins[index % 2 === 0 ? 0 : 1]).then((answer) => answers.push(answer)))
    }
    await until(() => answers.length === wishes.length - 1, 20_000)
  })
  await Promise.all(asked)
  return answers
}

/** The last answer is the winner's; every other one says that something is done already, since when and by which host. */
export async function requireOneWinner({ db }: MortalPlatform, answers: readonly Answer[]): Promise<void> {
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body['code']]),
    answers.map((_, index) => (index === answers.length - 1 ? [200, 0] : [409, 4092])),
  )
  const hosts: readonly unknown[] = await db('plugin_hosts').pluck<string[]>('host_id')
  for (const { body } of answers.slice(0, -1)) {
    const { operation, holder, ...details } = (body['details'] ?? {}) as Readonly<Record<string, unknown>>
    assert.deepEqual(Object.keys(details).sort(), ['started_at', 'step'])
    assert.match(String(operation), /^(sync|disable|repair|uninstall|unknown)$/)
    assert.ok(hosts.includes(holder), String(holder))
  }
}
