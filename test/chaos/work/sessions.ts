import { password } from '../world.ts'
import { outcomeOf, type HostIndex } from '../ledger.ts'
import { otherThan, type Work, type WorkParts } from './work.ts'

/** README promises a second; a machine that others load is given another one. */
const boundMs = 2_000

/** Sessions that begin at one host, work on both, end at one, and are refused by the other a second later. */
export function sessionsWork({ world, ledger, random }: WorkParts): Work {
  let count = 0
  let worst = 0
  const pick = (): HostIndex => (random() < 0.5 ? 0 : 1)
  return {
    name: 'sessions',
    everyMs: 7_000,
    callers: 1,
    async step(host) {
      const body = { tenant_code: world.tenant, email: `owner@${world.tenant}.test`, password }
      const path = '/auth/login/json'
      const anonymous = world.owner(host).as('')
      const login = await ledger.call('login', host, anonymous, 'POST', path, { body })
      if (outcomeOf(login) !== 'done') return
      count++
      const token = (login.answer?.body as { data?: { access_token?: unknown } }).data?.access_token
      const me = (at: HostIndex) => ledger.call('me', at, world.owner(at).as(token), 'GET', '/auth/me')
      for (const at of [0, 1] as const) {
        const attempt = await me(at)
        if (attempt.status === 401) ledger.fault(`LOST: a new session is refused by host ${at}: ${attempt.text}`)
      }
      const at = pick()
      const logout = await ledger.call('logout', at, world.owner(at).as(token), 'POST', '/auth/logout', { body: {} })
      if (outcomeOf(logout) === 'refused') {
        const still = await me(otherThan(at))
        if (still.status === 401) ledger.fault(`a session is over although its end was answered ${logout.text}`)
      }
      if (outcomeOf(logout) !== 'done') return
      for (const other of [otherThan(at), at]) worst = Math.max(worst, await untilRefused(logout.to, () => me(other)))
    },
    check: () => Promise.resolve(`${count} sessions, an ended one worked for at most ${worst} ms`),
  }

  /** How long after its end the session was let in; what was asked before a host was halted may be answered later. */
  async function untilRefused(ended: number, ask: () => ReturnType<typeof ledger.call>): Promise<number> {
    let last = 0
    for (let tries = 0; tries < 150; tries++) {
      const { status, from, host } = await ask()
      if (status === 401) {
        if (last > boundMs) ledger.fault(`an ended session worked for ${last} ms on host ${host}`)
        return last
      }
      if (status === 200) last = Math.max(last, from - ended)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    ledger.fault(`an ended session is still let in after ${last} ms, or nobody answers`)
    return last
  }
}
