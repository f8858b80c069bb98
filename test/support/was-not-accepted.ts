import type { ClientRequest } from 'node:http'

/** Whether a request failed before anybody took it: its new connection was refused, or reset while it waited to be accepted. */
export function wasNotAccepted({ code }: NodeJS.ErrnoException, request: ClientRequest): boolean {
  return code === 'ECONNREFUSED' || (code === 'ECONNRESET' && !request.reusedSocket)
}
