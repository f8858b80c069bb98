import type { FieldError } from '#kernel'
import type { McpSecretRow, McpServerRow } from '../tables.ts'
import { destinationOf, headerOf, type SecretChange } from '../use/server-secrets.ts'
import type { ServerChange } from './wishes.ts'

/** Of the connection and the protocol, which are the platform's, and of credentials, which have a member of their own. */
const reservedHeader =
  /^(host|connection|keep-alive|content-length|content-type|content-encoding|transfer-encoding|te|trailer|upgrade|expect|accept|accept-encoding|user-agent|authorization|proxy-authorization|last-event-id|mcp-.*)$/i

/** What of a change does not fit together, whatever the network says. */
export function changeFaults({ headers = {}, credentials = {}, oauth }: ServerChange, auth: McpServerRow['auth']) {
  const faults: FieldError[] = []
  const add = (field: string, rule: string, message: string): void => void faults.push({ field, rule, message })
  for (const name of Object.keys(headers))
    if (reservedHeader.test(name)) add(`headers.${name}`, 'reserved_header', 'is set by the platform')
  if (typeof credentials.token === 'string' && auth.type !== 'bearer')
    add('credentials.token', 'not_for_type', 'is for bearer')
  if (typeof credentials.client_secret === 'string' && auth.type !== 'oauth_client_credentials')
    add('credentials.client_secret', 'not_for_type', 'is for oauth_client_credentials')
  if (oauth && auth.type !== 'oauth_client_credentials') add('oauth', 'not_for_type', 'is for oauth_client_credentials')
  return faults
}

/** Secrets that stay although the address changes, and would be sent to another place than they were given for. */
export function unboundSecrets(
  sealed: readonly McpSecretRow[],
  after: Pick<McpServerRow, 'url' | 'auth'>,
  change: SecretChange,
): readonly FieldError[] {
  return sealed
    .filter((row) => change[row.field] === undefined && row.boundTo !== destinationOf(row.field, after))
    .map(({ field }) => {
      const header = headerOf(field)
      const name = header === undefined ? `credentials.${field}` : `headers.${header}`
      return { field: name, rule: 'secret_again', message: 'must be given again, because the address changes' }
    })
}

/** Secrets of a way to prove who one is that is no more. */
export function leftSecrets(sealed: readonly McpSecretRow[], { type }: McpServerRow['auth']): SecretChange {
  const wanted = { none: undefined, bearer: 'token', oauth_client_credentials: 'client_secret' }[type]
  const left = sealed.filter(({ field }) => headerOf(field) === undefined && field !== wanted)
  return Object.fromEntries(left.map(({ field }) => [field, null]))
}
