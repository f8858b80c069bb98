import { openAsBlob } from 'node:fs'
import { indexLimits } from '../index-format/index-limits.ts'
import { rootFingerprint } from '../index-format/root.ts'
import { fetchFile } from '../keeper/fetch-file.ts'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import type { SigningKey } from '../package/signature.ts'
import { isIssuerAddress } from './ci-tokens.ts'
import { signChange, type Change } from './signed-change.ts'

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
  readonly reason: string
  readonly message: string
  readonly findings: readonly string[]
}

/** What it answers a change that it made. */
interface Changed {
  readonly name: string
  readonly sequence: number
}

const timeoutMs = 10 * 60_000
const identityTimeoutMs = 10_000

/** Sends a package to an index that takes pushes. Throws an IndexRefusal with what the index says. */
export async function sendPush(index: URL, zip: string, token: string): Promise<Pushed> {
  requireSafe(index)
  return (await send(index, '-/packages', token, 'application/zip', await openAsBlob(zip))) as Pushed
}

/** Signs a change for an index that takes pushes, and sends it. Throws an IndexRefusal with what the index says. */
export async function sendChange(index: URL, change: Change, key: SigningKey, token: string): Promise<Changed> {
  requireSafe(index)
  const root = await fetchFile(new URL('root.json', index).href, { most: indexLimits.rootBytes })
  if (!root) throw new IndexRefusal(`${index.href} has no root.json: that is no index that is signed.`)
  const signed = JSON.stringify(signChange(change, rootFingerprint(root), key))
  return (await send(index, '-/changes', token, 'application/json', signed)) as Changed
}

async function send(index: URL, path: string, token: string, type: string, body: Blob | string): Promise<unknown> {
  const answer = await fetch(new URL(path, index), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    const { cause = error } = error as Error
    throw new IndexRefusal(`${index.href} cannot be reached: ${(cause as Error).message}`)
  })
  const said = (await answer.json().catch(() => undefined)) as Partial<Refused> | undefined
  if (answer.ok && said) return said
  if (!said?.reason && (answer.status === 404 || answer.status === 405))
    throw new IndexRefusal(`${index.href} takes no pushes: give the folder of your clone, or ask its keeper.`)
  const { message = `It answers ${answer.status}.`, findings = [] } = said ?? {}
  const lines = [message, ...findings.map((each) => `  ${each}`)]
  throw new IndexRefusal(`${index.href} did not take it: ${lines.join('\n')}`)
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
