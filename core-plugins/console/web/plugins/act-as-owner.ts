import type { ImpersonationBody } from '../../../auth/wire.ts'
import { call } from '../api/client.ts'
import { handOver } from '../tab/hand-over.ts'

/** Opens the console of a tenant in a tab of its own, as the tenant's owner; to be called by a click. Both logs keep the reason. */
export async function actAsOwner(tenantId: number, reason: string): Promise<void> {
  const nonce = crypto.randomUUID()
  // Opened at once: a browser lets a click open a window, and nothing that comes later.
  const tab = window.open('about:blank', '_blank')
  try {
    const answer = await call<ImpersonationBody>('POST', `/admin/tenants/${tenantId}/impersonate`, { body: { reason } })
    handOver(nonce, { text: answer.access_token, expiresIn: answer.expires_in })
    tab?.location.replace(`/console/impersonated#${nonce}`)
  } catch (error) {
    tab?.close()
    throw error
  }
}
