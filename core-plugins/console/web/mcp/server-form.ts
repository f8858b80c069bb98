import type { McpAuth, McpServerRow } from './wire.ts'

/** A server as its form has it; secrets are empty until somebody types them. */
export interface ServerForm {
  name: string
  url: string
  auth: McpAuth
  token: string
  token_url: string
  client_id: string
  client_secret: string
  scope: string
  headers: string
  seconds: number | null
}

/** What the form begins with. */
export function formOf(server: McpServerRow | undefined): ServerForm {
  return {
    ...{ name: server?.name ?? '', url: server?.url ?? '', auth: server?.auth ?? 'none', token: '' },
    ...{ token_url: server?.oauth?.token_url ?? '', client_id: server?.oauth?.client_id ?? '', client_secret: '' },
    ...{ scope: server?.oauth?.scope ?? '', headers: '', seconds: (server?.timeout_ms ?? 10_000) / 1000 },
  }
}

/** What of a form may be shown. */
export function withoutSecrets({ name, url, auth, token_url, client_id, scope, seconds }: ServerForm) {
  return { name, url, auth, token_url, client_id, scope, seconds }
}

/** How the server is reached, as the API has it; what is empty stays as it is there. */
export function reachOf(form: ServerForm) {
  const { url, auth, token, token_url, client_id, client_secret, scope, seconds } = form
  const headers = headersOf(form.headers)
  const oauth = { token_url, client_id, ...(scope !== '' && { scope }) }
  const credentials = auth === 'bearer' ? { token } : { client_secret }
  const isGiven = auth !== 'none' && Object.values(credentials).some((value) => value !== '')
  return {
    ...{ url, auth },
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(auth === 'oauth_client_credentials' && { oauth }),
    ...(isGiven && { credentials }),
    ...(seconds !== null && { timeout_ms: Math.round(seconds * 1000) }),
  }
}

/** Lines of `Name: value`; a name alone takes a header away. */
function headersOf(text: string): Readonly<Record<string, string | null>> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...rest] = line.split(':')
      const value = rest.join(':').trim()
      return [name.trim(), value === '' ? null : value]
    }),
  )
}
