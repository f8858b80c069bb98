import type { AuthSession } from './models.ts'

/** A session as its user sees it. */
export function presentSession(session: AuthSession, current: string) {
  return {
    id: session.id,
    device_name: session.deviceName,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    current: session.id === current,
  }
}
