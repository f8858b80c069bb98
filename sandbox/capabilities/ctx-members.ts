import { attachmentsCtx } from './attachments.ts'
import { jobsCtx } from './jobs.ts'
import { mailCtx } from './mail.ts'
import { outsideCtx } from './outside.ts'
import { ownDataCtx } from './own-data.ts'
import { platformCtx } from './platform.ts'
import type { CtxMembers } from './row.ts'
import { servicesCtx } from './services.ts'
import { streamCtx } from './stream.ts'
import type { CapabilityCtx } from './table.ts'

/** Every member of `ctx` that capabilities bring; the glue in the isolate takes this file and nothing else of the table. */
export const ctxMembers: CtxMembers<CapabilityCtx> = {
  ...outsideCtx,
  ...ownDataCtx,
  ...platformCtx,
  ...attachmentsCtx,
  ...jobsCtx,
  ...mailCtx,
  ...servicesCtx,
  ...streamCtx,
}
