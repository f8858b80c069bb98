import type { Json } from './json.ts'
import type { MethodOf, ServiceAnswers, ServiceInput, ServiceOutput, UncopiedService, UsedService } from './names.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** Typed by the copy in `services/` that `stoa types --service` makes. */
type CopiedCall = <Service extends UsedService, Method extends MethodOf<Service>>(
  service: Service,
  method: Method,
  ...input: ServiceInput<Service, Method>
) => Promise<ServiceOutput<Service, Method>>

/** Without a copy `Output` is what the other plugin's schema says: `call<Contact | null>(…)`. */
type UncopiedCall = <Output = Json>(service: UncopiedService, method: string, input?: Json) => Promise<Output>

/** Both together only where a plugin has both, since the compiler says less of a wrong call then. */
type Call = [UncopiedService] extends [never]
  ? CopiedCall
  : [UsedService] extends [UncopiedService]
    ? UncopiedCall
    : CopiedCall & UncopiedCall

/** What other plugins do for this one. */
interface Services {
  /**
   * Calls a method of a service that the manifest's `uses` names, such as `call('acme.crm/contacts', 'find', { id: 7 })`, in the calling
   * tenant. Fails with `unavailable` and the reason `service_unavailable` where the other plugin does not run for the tenant or provides another
   * version, `invalid` for an input that is not as its schema says, `conflict` for calls that lead to calls more than 8 times; what the other
   * plugin throws as a PluginError comes as it is.
   */
  readonly call: Call
}

/** What of `ctx` leads to other plugins. */
export interface ServicesCtx {
  /** Needs the capability `services:use`. */
  readonly services: Services
}

/** A call of another plugin's service in a test. */
export interface TestServiceCall {
  readonly service: string
  readonly method: string
  readonly input: Json
}

/** What other plugins answer in a test. */
export interface ServicesGiven {
  /**
   * `acme.crm/contacts.find` → its answer, or what makes one of the input; other calls fail with `service_unavailable`. Both are held to the
   * copy in `services/`, where there is one.
   */
  readonly services?: ServiceAnswers
}

/** What other plugins were asked for in a test. */
export interface ServicesSeen {
  readonly asked: readonly TestServiceCall[]
}

/** The member of `ctx` that leads to other plugins. */
export const servicesCtx: CtxMembers<ServicesCtx> = {
  services: {
    by: ['services:use'],
    open: (send) => ({
      call: (service: string, method: string, input?: Json) =>
        send('services.call', { service, method, input: input ?? null }),
    }),
    saving: ['call'],
    isElsewhere: true,
  },
}

/** What plugins do for one another. */
export const services = {
  'services:use': {
    section: { field: 'uses', isPresent: ({ uses = {} }) => Object.keys(uses).length > 0, isNeeded: true },
    detail: ({ uses = {} }) => ({ uses }),
    called: /\bservices!?\??\.call\s*\(/,
  },
  'services:provide': {
    section: {
      field: 'provides.services',
      isPresent: ({ provides: { services = [] } = {} }) => services.length > 0,
      isNeeded: true,
    },
    detail: ({ provides: { services = [] } = {} }) => ({
      services: services.map(({ name, version, methods }) => ({
        name,
        version,
        methods: methods.map(({ name, effect = 'read' }) => ({ name, effect })),
      })),
    }),
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
