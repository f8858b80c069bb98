/** What the server has of some values now, with what somebody changed of them since they were sent. */
export function sinceSent<T extends object>(now: T, sent: T, typed: T): T {
  const changed = Object.entries(typed).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(sent[key as keyof T]),
  )
  return { ...now, ...Object.fromEntries(changed) }
}
