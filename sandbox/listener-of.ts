/** The subscription that an event belongs to, which is also the name of its listener: the exact one before a wildcard. */
export function listenerOf(type: string, subscriptions: readonly string[]): string | undefined {
  if (subscriptions.includes(type)) return type
  return subscriptions
    .filter((name) => name.endsWith('.*') && type.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length)[0]
}
