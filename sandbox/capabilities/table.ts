import { attachments, type AttachmentsCtx, type AttachmentsGiven, type AttachmentsSeen } from './attachments.ts'
import { contributed } from './contributed.ts'
import { jobs, type JobsCtx, type JobsSeen } from './jobs.ts'
import { mail, type MailCtx, type MailSeen } from './mail.ts'
import { outside, type OutsideCtx, type OutsideGiven, type OutsideSeen } from './outside.ts'
import { ownData, type OwnDataCtx, type OwnDataGiven, type OwnDataSeen } from './own-data.ts'
import { platform, type PlatformCtx, type PlatformGiven, type PlatformSeen } from './platform.ts'
import type { CapabilityRow } from './row.ts'
import type { StreamCtx, StreamSeen } from './stream.ts'
import { services, type ServicesCtx, type ServicesGiven, type ServicesSeen } from './services.ts'

/** The members of `ctx` that capabilities bring. */
export interface CapabilityCtx
  extends OutsideCtx, OwnDataCtx, PlatformCtx, AttachmentsCtx, JobsCtx, MailCtx, ServicesCtx, StreamCtx {}

/** What a test gives to the members of `ctx`. */
export interface CapabilityGiven extends OutsideGiven, OwnDataGiven, PlatformGiven, AttachmentsGiven, ServicesGiven {}

/** What a test sees of the members of `ctx`. */
export interface CapabilitySeen
  extends OutsideSeen, OwnDataSeen, PlatformSeen, AttachmentsSeen, JobsSeen, MailSeen, ServicesSeen, StreamSeen {}

const rows = { ...outside, ...ownData, ...contributed, ...platform, ...attachments, ...jobs, ...mail, ...services }

/** One of the capabilities a plugin may be granted. */
export type Capability = keyof typeof rows

/** What a plugin may ask for; `log` and `cache` are everybody's and never asked for. An unknown one is refused: an old host never guesses. */
export const capabilities = Object.keys(rows) as readonly Capability[]

/** What the platform knows of a capability. */
export function rowOf(capability: Capability): CapabilityRow {
  return rows[capability]
}
