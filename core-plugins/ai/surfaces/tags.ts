import type { SurfaceKey } from './ports.ts'

/** Of one call. */
const most = 20
/** Of a tag, in characters. */
const longest = 130
/** What clients put into `metadata` that is of one conversation or reader alone. */
const unshared: ReadonlySet<string> = new Set(['user_id', 'conversation_id', 'session_id', 'request_id', 'trace_id'])

/**
 * What the costs of a call are shown by: the key's metadata, and of the request `metadata` (a list or a text `tags`, and other texts as
 * `name:value`) and the header `x-ai-tags`. A request does not change what its key says: of one name the key's value holds.
 */
export function tagsOf(
  { tags: own = [] }: Pick<SurfaceKey, 'tags'>,
  metadata: Readonly<Record<string, unknown>> | undefined,
  header: string | undefined,
): readonly string[] {
  const { tags, ...named } = metadata ?? {}
  const said = [
    ...listed(header),
    ...(Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : listed(tags)),
    ...Object.entries(named).flatMap(([name, value]) =>
      typeof value === 'string' && !unshared.has(name) ? [`${name}:${value}`] : [],
    ),
  ]
  const taken = new Set(own.map(nameOf))
  const fit = said
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && tag.length <= longest && !taken.has(nameOf(tag)) && !/[\p{Cc}]/u.test(tag))
  return [...new Set([...own, ...fit])].slice(0, most)
}

function listed(text: unknown): readonly string[] {
  return typeof text === 'string' ? text.split(',') : []
}

function nameOf(tag: string): string {
  return tag.split(':', 1)[0] ?? tag
}
