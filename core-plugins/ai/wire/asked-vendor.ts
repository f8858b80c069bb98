import type { NeutralEvent, NeutralRequest } from './neutral.ts'
import type { ChatOptions, UpstreamFault, VendorCall, WireEvent } from './vendor.ts'

/** For whom a vendor is asked. */
export interface AskedOptions extends Pick<ChatOptions, 'secrets'> {
  /** Whose words they are; 0 is the platform. The provider's own tenant unless given. */
  readonly tenantId?: number | undefined
  readonly traceId?: string
  readonly signal: AbortSignal
  /** Told what each question cost in the sandbox, in milliseconds of CPU. */
  readonly spent?: (cpuMs: number) => void
}

/** Reads one answer. Throws an UpstreamFaultError at an error of the vendor's and at what cannot be read. */
export interface AskedReader {
  /** Raw events of a stream, or the one body of an answer that is none. */
  read(events: readonly WireEvent[]): Promise<readonly NeutralEvent[]>
}

/** A wire format that somebody else knows: everything is asked, and takes its time. No I/O of the vendor's in it. */
export interface AskedVendor {
  /** Why it is not called now; from memory. */
  obstacle(): string | undefined
  /** Throws CannotCarryError, and an UpstreamFaultError where nobody answers. */
  chat(request: NeutralRequest, options: AskedOptions & ChatOptions): Promise<VendorCall>
  reader(options: AskedOptions & Pick<ChatOptions, 'upstreamModel'>): AskedReader
  /** What a refusal means; never throws. */
  fault(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    options: AskedOptions,
  ): Promise<UpstreamFault>
  /** Asks which models there are. */
  models(options: AskedOptions): Promise<VendorCall>
  /** Their names; throws an UpstreamFaultError, of the class `not_found` where nobody knows. */
  readModels(body: string, options: AskedOptions): Promise<readonly string[]>
}
