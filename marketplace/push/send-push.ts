import { openAsBlob } from 'node:fs'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import { isIssuerAddress } from './ci-tokens.ts'

/** What an index answers a push that it took. */
interface Pushed {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
  readonly findings: readonly unknown[]
  readonly sequence: number
  readonly provenance: object | null
}

/** What it answers otherwise. */
interface Refused {
  readonly message: string
  readonly findings: readonly string[]
}

const timeoutMs = 10 * 60_000
const identityTimeoutMs = 10_000

/** Sends a package to an index that takes pushes. Throws an IndexRefusal with what the index says. */
export async function sendPush(index: URL, zip: string, token: string): Promise<Pushed> {
  requireSafe(index)
  const answer = await fetch(new URL('-/packages', index), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
    body: await openAsBlob(zip),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    const { cause = error } = error as Error
    throw new IndexRefusal(`${index.href} cannot be reached: ${(cause as Error).message}`)
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.status === 201 && body) return body as Pushed
  if (answer.status === 404 || answer.status === 405)
    throw new IndexRefusal(`${index.href} takes no pushes: give the folder of your clone, or ask its keeper.`)
  const { message = `It answers ${answer.status}.`, findings = [] } = (body ?? {}) as Partial<Refused>
  const said = [message, ...findings.map((each) => `  ${each}`)]
  throw new IndexRefusal(`${index.href} did not take it: ${said.join('\n')}`)
}

/** The identity token of the run that this program is part of, for an audience. Throws an IndexRefusal outside of a run that has one. */
export async function ciIdentity(audience: string, env: NodeJS.ProcessEnv): Promise<string> {
  // GitLab and others put a token that the job asks for into a variable.
  const given = env['STOA_ID_TOKEN']
  if (given) return given
  const [address, secret] = [env['ACTIONS_ID_TOKEN_REQUEST_URL'], env['ACTIONS_ID_TOKEN_REQUEST_TOKEN']]
  if (!address || !secret)
    throw new IndexRefusal(
      'This run has no identity token. GitHub: permissions: { id-token: write }. Elsewhere: put one into STOA_ID_TOKEN.',
    )
  const url = new URL(address)
  url.searchParams.set('audience', audience)
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${secret}` },
    signal: AbortSignal.timeout(identityTimeoutMs),
  }).catch(() => undefined)
  const body = answer?.ok ? ((await answer.json()) as { readonly value?: unknown }) : undefined
  if (typeof body?.value !== 'string') throw new IndexRefusal('The code host gives no identity token to this run.')
  return body.value
}

/** A token is sent over TLS, or stays on this machine. */
function requireSafe(index: URL): void {
  if (!isIssuerAddress(index))
    throw new IndexRefusal(`${index.href} is neither https nor on this machine: a token would be readable on its way.`)
}
