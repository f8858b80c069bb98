import { computed, reactive } from 'vue'
import { keepHint, type SessionScope } from '../tab/hint.ts'
import type { Me, SignedIn } from './me.ts'
import { Problem } from './problem.ts'
import { isYoung, ownerOf, refresh, sharedToken } from './refresh.ts'
import { causeOf, isSessionRefused } from './refusals.ts'
import { SignInLine } from './sign-in-line.ts'
import { forgetDrafts } from '../tab/drafts.ts'
import { forgetOpenPages } from '../tab/open-pages.ts'
import { onTabs, tellTabs, type SharedToken } from '../tab/tabs.ts'

export type { Me, PasswordComplexity, SignedIn } from './me.ts'

/** What has to be done before the session may be used. */
type Restriction = 'password_change_required' | 'second_factor_required'

/** Why the session is over. */
interface Ended {
  readonly cause: string
}

const retryMilliseconds = [1000, 2000, 4000, 8000, 16_000, 30_000]
const early = 60_000
/** Of what is asked only of whoever has signed in lately. */
const newerSignIn = 'reauth_required'

const state = reactive({
  scope: undefined as SessionScope | undefined,
  me: undefined as Me | undefined,
  ended: undefined as Ended | undefined,
  isOffline: false,
  /** While the platform is being worked on: what it says of that. */
  maintenance: undefined as { readonly message: string } | undefined,
  /** What the user has to do before anything else: 403/4037 says which. */
  restriction: undefined as Restriction | undefined,
  /** Of an administrator who acts as somebody else: in this tab alone, and until it is loaded anew. */
  impersonation: undefined as { readonly endsAt: number } | undefined,
})

// In this closure and nowhere else: no script that reads storage or the DOM finds it.
let token: SharedToken | undefined
let renewing: Promise<void> | undefined
const line = new SignInLine()
let timer: ReturnType<typeof setTimeout> | undefined

/** The session of this tab. */
export const session = {
  state,
  isSignedIn: computed(() => state.me !== undefined),

  /** The token for a request with so much in it; waits while the session is being renewed or somebody signs in again. */
  async accessToken(size: () => number = () => 0): Promise<string | undefined> {
    // What wants a newer sign-in wants it for itself alone.
    if (state.ended && state.ended.cause !== newerSignIn) await line.wait(size())
    if (token && !state.impersonation && Date.now() > token.endsAt - 5000) await this.renew(token.text)
    return token?.text
  },

  /** Whether the caller holds a permission; `*` of a resource or of everything counts. */
  can(permission: string | undefined): boolean {
    if (permission === undefined) return true
    const held = state.me?.permissions ?? []
    const [resource] = permission.split(/:(?=[^:]*$)/)
    return held.includes('*:*') || held.includes(permission) || held.includes(`${resource}:*`)
  },

  /** Takes up the session that the browser's cookie holds; whether there is one. */
  async resume(scope: SessionScope): Promise<boolean> {
    state.scope = scope
    try {
      token = (await refresh(scope, undefined)).token
      plan()
      return true
    } catch (error) {
      if (error instanceof Problem && isSessionRefused(error)) return false
      if (error instanceof Problem) session.maintain(error)
      throw error
    }
  },

  /** Begins the session that a sign-in gave. */
  begin(scope: SessionScope, answer: SignedIn): void {
    const isOther = state.me !== undefined && state.me.user.id !== answer.user.id
    if (isOther) return location.reload()
    token = sharedToken(answer.access_token, answer.expires_in)
    const restriction = answer.password_change_required ? 'password_change_required' : undefined
    Object.assign(state, { scope, restriction })
    keepHint({ scope, user_id: answer.user.id })
    tellTabs({ type: 'signed-in', scope, userId: answer.user.id })
    share()
    goOn()
  },

  /** Goes on with the session that a new password gave; it ended the one that the other tabs have. */
  renewPassword(scope: SessionScope, answer: SignedIn): void {
    tellTabs({ type: 'ended', scope, cause: 'password_changed' })
    token = sharedToken(answer.access_token, answer.expires_in)
    state.restriction = undefined
    goOn()
  },

  /** Acts as somebody else with a token that only this tab has. */
  impersonate(text: string, expiresIn: number): void {
    token = sharedToken(text, expiresIn)
    Object.assign(state, { scope: 'tenant', impersonation: { endsAt: token.endsAt } })
  },

  /** Another token than this one; whoever asks while one asks waits for that. Throws nothing: what ends the session shows itself. */
  renew(old: string): Promise<void> {
    if (token && token.text !== old) return Promise.resolve()
    return (renewing ??= renewFrom(old).finally(() => (renewing = undefined)))
  },

  /** Waits until somebody signed in again after a refusal; throws it where nobody will, and a Problem for more than can wait. */
  async waitForSignIn(old: string, problem: Problem, size: () => number = () => 0): Promise<void> {
    if (token?.text === old) end(causeOf(problem))
    if (state.ended && !(await line.wait(size()))) throw problem
  },

  /** Does without what a newer sign-in was wanted for: what waits for it is refused, and the session goes on. */
  refuseSignIn(): void {
    state.ended = undefined
    line.end(false)
  },

  /** Keeps what the server wants done first; whether this was such a refusal. */
  restrict({ code, reason }: Problem): boolean {
    if (code === 4037) state.restriction = reason as Restriction
    return code === 4037
  },

  /** Keeps that the platform is being worked on: 503/5031 says so; whether this was such a refusal. */
  maintain({ code, details }: Problem): boolean {
    const { message } = details
    if (code === 5031) state.maintenance = { message: typeof message === 'string' ? message : '' }
    return code === 5031
  },

  /** Goes on: the platform is there again. */
  endMaintenance(): void {
    state.maintenance = undefined
  },

  /** Forgets the session here and in the other tabs; the server was told. Whoever acts as somebody else ends that alone. */
  signOut(): void {
    const { scope, impersonation } = state
    clear()
    if (impersonation) return
    keepHint({ scope: undefined, user_id: undefined })
    if (scope) tellTabs({ type: 'signed-out', scope })
  },
}

async function renewFrom(old: string): Promise<void> {
  const { scope } = state
  if (!scope) return
  if (state.impersonation) return end('impersonation_ended')
  for (let attempt = 0; ; attempt += 1) {
    try {
      const renewed = await refresh(scope, old)
      state.isOffline = false
      // Somebody else signed in in this browser while this tab slept.
      if (isAnothers(renewed.token)) return end('other_user')
      token = renewed.token
      if (!renewed.isShared) share()
      return plan()
    } catch (error) {
      if (error instanceof Problem && isSessionRefused(error)) return end(causeOf(error))
      state.isOffline = !(error instanceof Problem && session.maintain(error))
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds[Math.min(attempt, 5)]))
    }
  }
}

/** Lets what waits for a session go on with this one. */
function goOn(): void {
  state.ended = undefined
  line.end(true)
  plan()
}

function end(cause: string): void {
  state.ended = { cause }
}

function clear(): void {
  token = undefined
  clearTimeout(timer)
  forgetDrafts()
  forgetOpenPages()
  Object.assign(state, {
    me: undefined,
    ended: undefined,
    impersonation: undefined,
    restriction: undefined,
    maintenance: undefined,
  })
}

function isAnothers(found: SharedToken): boolean {
  return state.me !== undefined && ownerOf(found) !== state.me.user.id
}

function share(): void {
  const { scope, impersonation } = state
  if (token && scope && !impersonation) tellTabs({ type: 'token', scope, token })
}

/** Asks for the next token a little before this one ends, at another moment in each tab. */
function plan(): void {
  clearTimeout(timer)
  if (!token || state.impersonation) return
  const { text, endsAt, issuedAt } = token
  const lead = Math.min(early, (endsAt - issuedAt) / 4) + Math.random() * Math.min(10_000, (endsAt - issuedAt) / 8)
  timer = setTimeout(
    () => {
      if (document.visibilityState === 'visible') void session.renew(text)
    },
    Math.max(0, endsAt - lead - Date.now()),
  )
}

onTabs((message) => {
  if (message.scope !== state.scope || state.impersonation) return
  if (message.type === 'token-wanted' && token && isYoung(token)) share()
  if (message.type === 'token' && token && message.token.issuedAt > token.issuedAt && !isAnothers(message.token)) {
    token = message.token
    // The next token of the same sign-in is none that is newer.
    if (state.ended?.cause === newerSignIn) plan()
    else goOn()
  }
  if (message.type === 'ended' && state.me) end(message.cause)
  if (message.type === 'signed-out' && state.me) {
    clear()
    window.dispatchEvent(new CustomEvent('stoa:signed-out'))
  }
  if (message.type === 'signed-in' && state.me && message.userId !== state.me.user.id) end('other_user')
})
