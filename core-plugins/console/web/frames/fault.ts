import type { RefusalReason, RpcError } from '../../../../sandbox/sdk/ui/protocol.ts'

/** Why something that a page asks for is not done. */
export class RpcFault extends Error {
  readonly error: RpcError

  constructor(error: RpcError) {
    super(error.message)
    this.error = error
  }
}

/** Refuses what a page may not have, or not now. */
export function refusal(reason: RefusalReason): RpcFault {
  return new RpcFault({ code: -32000, message: reason, data: { reason } })
}

/** Refuses parameters that are none. */
export function wrongParams(message: string): RpcFault {
  return new RpcFault({ code: -32602, message })
}
