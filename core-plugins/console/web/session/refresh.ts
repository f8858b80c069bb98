import type { SessionScope } from '../tab/hint.ts'
import { Problem, unreachable, type ProblemBody } from './problem.ts'
import { onTabs, tellTabs, type SharedToken } from '../tab/tabs.ts'

/** A session's access token. */
interface Renewed {
  readonly token: SharedToken
  /** Tells that another tab asked the server, and this one asked that tab. */
  readonly isShared: boolean
}

const paths: Readonly<Record<SessionScope, string>> = { platform: '/admin/auth', tenant: '/auth' }
const answerMilliseconds = 120

/** Where the endpoints of a scope's own sign-in stand. */
export function authPath(scope: SessionScope): string {
  return paths[scope]
}

/**
 * An access token other than the one that is old: another tab's if it has a young one, else the server's. One tab asks at a time, so
 * that all together ask once. Throws the server's Problem when the session is over.
 */
export async function refresh(scope: SessionScope, old: string | undefined): Promise<Renewed> {
  return await navigator.locks.request(
    `stoa.refresh.${scope}`,
    async () => (await askTabs(scope, old)) ?? askServer(scope),
  )
}

/** A token as tabs hand it on. */
export function sharedToken(text: string, expiresIn: number): SharedToken {
  return { text, issuedAt: Date.now(), endsAt: Date.now() + expiresIn * 1000 }
}

/** Whose token it is, as its own claims say; what it allows is the server's business. */
export function ownerOf({ text }: SharedToken): number {
  const [, claims = ''] = text.split('.')
  const { user_id: id } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { user_id: number }
  return id
}

/** Whether most of its time is still to come. */
export function isYoung({ issuedAt, endsAt }: SharedToken): boolean {
  return Date.now() < Math.min(issuedAt + 60_000, (issuedAt + endsAt) / 2)
}

function askTabs(scope: SessionScope, old: string | undefined): Promise<Renewed | undefined> {
  return new Promise((resolve) => {
    const end = (found: Renewed | undefined) => {
      stop()
      clearTimeout(timer)
      resolve(found)
    }
    const stop = onTabs((message) => {
      if (message.type !== 'token' || message.scope !== scope || message.token.text === old) return
      if (isYoung(message.token)) end({ token: message.token, isShared: true })
    })
    const timer = setTimeout(() => end(undefined), answerMilliseconds)
    tellTabs({ type: 'token-wanted', scope })
  })
}

async function askServer(scope: SessionScope): Promise<Renewed> {
  let response: Response
  try {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'console' }
    response = await fetch(`${paths[scope]}/refresh`, { method: 'POST', headers, body: '{}' })
  } catch (error) {
    throw unreachable(error)
  }
  if (!response.ok) throw new Problem(response.status, (await response.json().catch(() => ({}))) as ProblemBody)
  const { data } = (await response.json()) as { data: { access_token: string; expires_in: number } }
  return { token: sharedToken(data.access_token, data.expires_in), isShared: false }
}
