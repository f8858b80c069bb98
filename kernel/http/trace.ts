import { randomUUID } from 'node:crypto'

const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/** The trace id of a request: the caller's when it sends a valid `traceparent`, else a new one. */
export function traceIdOf(traceparent: string | readonly string[] | undefined): string {
  const given = typeof traceparent === 'string' ? traceparentForm.exec(traceparent)?.[1] : undefined
  return given ?? randomUUID().replaceAll('-', '')
}
