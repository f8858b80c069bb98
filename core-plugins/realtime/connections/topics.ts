const most = 50
const longest = 100
const form = /^(\*|[a-z0-9_.-]+(\.\*)?)$/

/** Whether the name of an event is wanted. */
export type TopicFilter = (event: string) => boolean

/** Reads which events a client wants: names, `<beginning>.*`, or `*`. Undefined for what is no such list. */
export function readTopics(value: unknown): TopicFilter | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const topics: string[] = []
  for (const topic of value as readonly unknown[]) {
    if (typeof topic !== 'string' || topic.length > longest || !form.test(topic)) return undefined
    topics.push(topic)
  }
  const names = new Set(topics)
  const beginnings = topics.filter((topic) => topic.endsWith('*')).map((topic) => topic.slice(0, -1))
  return (event) => names.has(event) || beginnings.some((beginning) => event.startsWith(beginning))
}
