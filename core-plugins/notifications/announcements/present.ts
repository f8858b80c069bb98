import type { Localised } from '#kernel'
import type { AnnouncementRow } from './models.ts'

/** As those see it who announce. */
export function presentAnnouncement(row: AnnouncementRow, acknowledged: number) {
  const { id, title, body, level, audience, startsAt, expiresAt, requiresAcknowledgement, createdBy, createdAt } = row
  return {
    ...{ id, title, body, level, audience, acknowledged },
    starts_at: startsAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    requires_acknowledgement: requiresAcknowledgement,
    created_by: createdBy,
    created_at: createdAt.toISOString(),
  }
}

/** As its readers see it, in their language. */
export function presentAnnounced(row: AnnouncementRow, acknowledgedAt: Date | null, tell: (text: Localised) => string) {
  const { id, tenantId, title, body, level, startsAt, expiresAt, requiresAcknowledgement } = row
  return {
    ...{ id, title: tell(title), body: tell(body), level, source: tenantId === 0 ? 'platform' : 'tenant' },
    starts_at: startsAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    requires_acknowledgement: requiresAcknowledgement,
    acknowledged_at: acknowledgedAt?.toISOString() ?? null,
  }
}
