import type { McpServerRow } from '../tables.ts'
import type { ClientTokens } from './client-tokens.ts'
import type { PeerTarget } from './target.ts'

/** How requests to a server prove who asks, with secrets by field; `holder` is whose tokens of OAuth they are. */
export function authorizerOf(
  { url, auth }: Pick<McpServerRow, 'url' | 'auth'>,
  secrets: ReadonlyMap<string, string | undefined>,
  tokens: Pick<ClientTokens, 'get'>,
  holder: string,
): PeerTarget['authorization'] {
  if (auth.type === 'none') return () => Promise.resolve(undefined)
  if (auth.type === 'bearer') {
    const token = secrets.get('token')
    return () => Promise.resolve(token === undefined ? undefined : `Bearer ${token}`)
  }
  const clientSecret = secrets.get('client_secret') ?? ''
  const { token_url: tokenUrl, client_id: clientId, scope } = auth
  const asked = { clientId, clientSecret, scope, tokenUrl: new URL(tokenUrl), resource: url, holder }
  return async (signal, isRefused) => `Bearer ${await tokens.get(asked, signal, isRefused)}`
}
