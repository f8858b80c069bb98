import type { Environment } from '#kernel'

/** The secrets of a first start, as they stand in first-run.json. */
export interface FirstRun {
  readonly setup_token?: string
  readonly setup_url?: string
  readonly demo?: { readonly tenant_code: string; readonly account: string; readonly password: string }
}

/** What a first start prints, once; whole lines. */
export function describeFirstRun({ setup_url: url, demo }: FirstRun, env: Environment): string {
  const lines: string[] = []
  if (url) lines.push(describeSetup(url))
  if (demo) {
    const console = `${env.publicUrl}/console/login?tenant=${demo.tenant_code}`
    lines.push(`Demo tenant "${demo.tenant_code}": ${demo.account} / ${demo.password}   ${console}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** The link to open for whoever is to be the first administrator. */
export function describeSetup(url: string): string {
  return `Set up the platform (one use, 30 min): ${url}`
}

/** The link to open for an administrator's new password. */
export function describeReset(url: string): string {
  return `Choose a new password (one use, 30 min): ${url}`
}

/** What every start prints. */
export function describeStart({ publicUrl }: Environment): string {
  return `Stoa answers at ${publicUrl}/console/   API ${publicUrl}/openapi.json   health ${publicUrl}/api/public/health`
}
