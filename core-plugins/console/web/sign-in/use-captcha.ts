import { onScopeDispose, ref, shallowRef } from 'vue'
import { askChallenge, type CaptchaAction, type CaptchaAnswer, type Challenge } from '../api/sign-in.ts'
import { Problem } from '../session/problem.ts'
import type { SessionScope } from '../tab/hint.ts'
import { solvePow } from './solve-pow.ts'
import type { PowTask } from './pow-worker.ts'

/** For what a captcha is asked. */
interface Use {
  readonly scope: SessionScope
  readonly action: CaptchaAction
  readonly tenantCode: string | undefined
}

/** Whether a try was refused because a captcha is wanted, or the one that came with it was wrong. */
export function isCaptchaWanted(problem: unknown): problem is Problem {
  return problem instanceof Problem && (problem.code === 4004 || problem.code === 4005)
}

/** The captcha of a form: asked for where the server wants one, good for one try. */
export function useCaptcha(use: () => Use) {
  const challenge = shallowRef<Challenge>()
  const solution = ref('')
  /** How much of the work is done while the device does it, from 0 to 1. */
  const share = ref<number>()
  let stop = new AbortController()
  let running = Promise.resolve()
  let isGone = false
  onScopeDispose(() => {
    isGone = true
    stop.abort()
  })

  /** What goes with the next try, once what is being asked for is there. */
  async function answer(): Promise<CaptchaAnswer | undefined> {
    await running.catch(() => undefined)
    const asked = challenge.value
    return asked && { provider_code: asked.provider_code, challenge_id: asked.challenge_id, solution: solution.value }
  }
  /** Asks for the captcha that a try was refused for; whether it is to be tried again at once, with what the device has worked out. */
  async function take({ details }: Problem): Promise<boolean> {
    const provider = details['provider_code']
    await ask(typeof provider === 'string' ? provider : undefined)
    return !isGone && isWork(challenge.value) && solution.value !== ''
  }
  /** Asks for the next one after a try, where there was one: it is good for one try. */
  function renew(): void {
    // Where there is none to be had, the next try is refused for that.
    if (challenge.value) ask().catch(forget)
  }
  /** Asks for a challenge instead of any other, and has the device work on it where that is what it takes. */
  function ask(provider = challenge.value?.provider_code): Promise<void> {
    if (isGone) return Promise.resolve()
    stop.abort()
    stop = new AbortController()
    solution.value = ''
    share.value = undefined
    return (running = solve(provider, stop.signal))
  }
  /** Ends quietly where it is stopped: nobody waits for it any more. */
  async function solve(provider: string | undefined, signal: AbortSignal): Promise<void> {
    const { scope, action, tenantCode } = use()
    const endpoint = scope === 'platform' ? 'admin' : 'user'
    const wish = { endpoint, action, tenant_code: tenantCode || undefined, provider_code: provider } as const
    try {
      const asked = await askChallenge(wish, signal)
      signal.throwIfAborted()
      challenge.value = asked
      if (!isWork(asked)) return
      share.value = 0
      const solved = await solvePow(asked.challenge as unknown as PowTask, signal, (done) => (share.value = done))
      signal.throwIfAborted()
      solution.value = solved
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      if (!signal.aborted) share.value = undefined
    }
  }
  function forget(): void {
    stop.abort()
    challenge.value = undefined
    solution.value = ''
    share.value = undefined
  }
  return { challenge, solution, share, answer, take, renew, ask, forget }
}

/** Whether the device solves it, without anybody's doing. */
function isWork(asked: Challenge | undefined): asked is Challenge {
  return asked?.challenge.type === 'pow'
}
