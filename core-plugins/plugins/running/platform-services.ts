import type { BasicUser, PlatformServices } from '#sandbox'
import type { Access } from '../../access/contract.ts'
import type { AttachmentFiles } from '../../attachments/contract.ts'
import type { Notifier, PluginMailer } from '../../notifications/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import { createGuestAttachments } from './guest-attachments.ts'
import type { RunningState } from './running-state.ts'
import type { InvokerList } from './invoker-list.ts'
import type { JobSlot } from './job-slot.ts'
import type { ServiceCalls } from './service-calls.ts'

/** What guests may ask of, each with the contract it has here. */
interface PlatformServiceParts {
  readonly access: Access
  readonly attachments: AttachmentFiles
  readonly notifier: Notifier
  readonly mailer: PluginMailer
  readonly users: UserDirectory
  readonly invokers: InvokerList
  readonly jobs: JobSlot
  readonly services: ServiceCalls
  readonly state: RunningState
}

/** What the sandbox lets guests ask of the platform, as it takes it. */
export function createPlatformServices(parts: PlatformServiceParts): PlatformServices {
  const { notifier, mailer, users, invokers, jobs, services, state } = parts
  return {
    attachments: createGuestAttachments(parts),
    notify: ({ plugin, ...message }) => notifier.send({ ...message, source: `plugin.${plugin}` }),
    mail: (mail) => mailer.send(mail),
    users: {
      async find(tenantId, id) {
        const user = await users.find(tenantId, id)
        return user && presentBasics(user)
      },
      list: async (tenantId, query) => (await users.list(tenantId, query)).map(presentBasics),
    },
    jobs: jobs.jobs,
    callService: services.call,
    invokeAi: (invocation) => invokers.invoke(invocation),
    license: (plugin, tenantId) => state.licenseOf(plugin, tenantId),
  }
}

/** No address and no number: whoever may write to users does so through the platform. */
function presentBasics({ id, nickname, account, status, avatarUrl }: UserRecord): BasicUser {
  return { id, nickname, account, status, avatarUrl }
}
