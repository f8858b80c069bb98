import { AppError } from '#kernel'
import type { Look } from '../use/looker.ts'

/** Tries whether a server can be spoken to; what it finds is no error. */
export async function testLook(look: () => Promise<Look>) {
  const begun = performance.now()
  let found: Look | undefined
  let fault: AppError | undefined
  try {
    found = await look()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    fault = error
  }
  const ms = Math.round(performance.now() - begun)
  const isReached = found !== undefined || (fault?.reason !== 'mcp_unreachable' && fault?.reason !== 'mcp_timeout')
  const detail = fault && { detail: `${fault.message}${causeOf(fault)}` }
  const checks = [
    { name: 'connection', ok: isReached, ms, ...(!isReached && detail) },
    ...(isReached ? [{ name: 'tools', ok: found !== undefined, ms, ...detail }] : []),
  ]
  return {
    ...{ ok: found !== undefined, tested_at: new Date().toISOString(), checks },
    ...{ revision: found?.terms.revision ?? null, server_info: found?.terms.info ?? {} },
    tools: found?.tools.map(({ name }) => name) ?? [],
  }
}

function causeOf({ details }: AppError): string {
  const cause = details?.['cause'] ?? details?.['status']
  return typeof cause === 'string' || typeof cause === 'number' ? ` (${String(cause)})` : ''
}
