import type { Said, TextValues } from '#kernel'
import { sandboxTexts } from './texts/texts.ts'
import type { Call, Failure, ReachedLimit } from './wire/call.ts'

type Limited = Extract<Failure, { kind: 'limit' | 'timeout' }>

const kilobyte = 1024

/** What the author is told of a limit that ended a call: in which handler, which one, how much it is and what was open. */
export function tellLimit(entry: string, failure: Limited, { limits, code }: Pick<Call, 'limits' | 'code'>): Said {
  const tell = (key: TextKey, values: TextValues): Said => sandboxTexts.keep(key, { entry, ...values })
  if (failure.kind === 'limit') return tell(...limitWords(failure.limit, limits, code))
  const most = limits.wallMs
  // Of a sandbox host that was taken over anything may come.
  const open = Array.isArray(failure.open) ? failure.open.join(', ') : ''
  return open === '' ? tell('notice.limit_wall', { most }) : tell('notice.limit_wall_waiting', { most, open })
}

/** What was told of a limit, if one ended the call. */
export function toldOf(failure: Failure): Said | undefined {
  return failure.kind === 'limit' || failure.kind === 'timeout' ? failure.told : undefined
}

type TextKey = Parameters<typeof sandboxTexts.keep>[0]

function limitWords(
  limit: ReachedLimit,
  limits: Call['limits'],
  code: Pick<Call['code'], 'memoryMb'>,
): readonly [TextKey, TextValues] {
  switch (limit) {
    case 'cpu':
      return ['notice.limit_cpu', { most: limits.cpuMs }]
    case 'memory':
      return ['notice.limit_memory', { most: code.memoryMb }]
    case 'host_calls':
      return ['notice.limit_host_calls', { most: limits.hostCalls }]
    case 'message_bytes':
      return ['notice.limit_message', {}]
    case 'response_bytes':
      return ['notice.limit_answer', { most: limits.responseBytes / kilobyte }]
    case 'concurrency':
      return ['notice.limit_at_once', { most: limits.concurrency, tenant: limits.tenantConcurrency }]
    case 'queue':
      return ['notice.limit_queue', { most: limits.queue }]
  }
}
