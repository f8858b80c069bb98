/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>
/** What names a request. */
export type RequestId = string | number

/** A request, or without an id a notification. */
export interface RpcRequest {
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: JsonObject
}

/** An error as JSON-RPC tells it. */
export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Codes of JSON-RPC 2.0 and of the Model Context Protocol. */
export const rpcCodes = {
  malformed: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** Of revisions with sessions. */
  refused: -32_000,
  unknownSession: -32_001,
  headerMismatch: -32_020,
  unknownRevision: -32_022,
} as const

/** A request that cannot be answered, with the HTTP status that says so where headers are not sent yet. */
export class RpcError extends Error {
  readonly fault: RpcFault
  readonly status: number

  constructor(code: number, message: string, { status = 400, data }: { status?: number; data?: unknown } = {}) {
    super(message)
    this.fault = { code, message, ...(data !== undefined && { data }) }
    this.status = status
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value may name a request. */
export function isRequestId(value: unknown): value is RequestId {
  return Number.isSafeInteger(value) || (typeof value === 'string' && value.length <= 200)
}
