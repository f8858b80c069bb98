import type { Environment } from '#kernel'

/** The secrets of a first start, as they stand in first-run.json. */
export interface FirstRun {
  readonly setup_token?: string
  readonly setup_url?: string
  readonly demo?: { readonly tenant_code: string; readonly account: string; readonly password: string }
}

/** What a first start prints, once; whole lines. */
export function describeFirstRun({ setup_token: token, demo }: FirstRun, env: Environment): string {
  const lines: string[] = []
  if (token) lines.push(describeSetup(token, env))
  if (demo) lines.push(`Demo tenant "${demo.tenant_code}": ${demo.account} / ${demo.password}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** How to use a set-up link while there is no page for it. */
export function describeSetup(token: string, { publicUrl }: Environment): string {
  const body = JSON.stringify({ token, email: 'you@example.com', password: 'at least twelve characters' })
  return `Set up the platform (one use, 30 min):
  curl ${publicUrl}/api/public/setup -H 'Content-Type: application/json' -d '${body}'`
}

/** How to use a link for an administrator's new password. */
export function describeReset(
  { token, url }: { readonly token: string; readonly url: string },
  { publicUrl }: Environment,
): string {
  const body = JSON.stringify({ token, new_password: 'at least twelve characters' })
  return `Choose a new password (one use, 30 min): ${url}
  curl ${publicUrl}/admin/auth/reset-password -H 'Content-Type: application/json' -d '${body}'`
}

/** What every start prints. */
export function describeStart({ publicUrl }: Environment): string {
  return `Stoa answers at ${publicUrl}   API ${publicUrl}/openapi.json   health ${publicUrl}/api/public/health`
}
