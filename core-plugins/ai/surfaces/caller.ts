import { UnauthenticatedError, type RouteContext } from '#kernel'
import { KeyScopeError } from './errors.ts'
import type { SurfaceKey, SurfaceKeys } from './ports.ts'

/** What a key may be for. */
type KeyScope = 'chat' | 'agents' | 'embeddings' | 'models'

interface Checked {
  readonly caller: SurfaceKey
  readonly at: number
}

/** A key is looked at before the body is taken and after it; in between so many milliseconds change nothing. */
const checkedForMs = 500
const checked = new WeakMap<object, Checked>()

/** Whose key a request has, which is for one of these, as `Authorization: Bearer` or `x-api-key`; throws 401/4010, 401/4019 and 403/4031. */
export async function callerOf(
  ctx: Pick<RouteContext, 'header' | 'state'>,
  keys: SurfaceKeys,
  ...scopes: readonly [KeyScope, ...KeyScope[]]
): Promise<SurfaceKey> {
  const caller = await authenticated(ctx, keys)
  if (!scopes.some((scope) => hasScope(caller, scope))) throw new KeyScopeError({ scope: scopes[0] })
  return caller
}

/** Whether a key is for something; one without scopes is for everything. */
export function hasScope({ scopes }: Pick<SurfaceKey, 'scopes'>, scope: KeyScope): boolean {
  return scopes.length === 0 || scopes.includes(scope)
}

async function authenticated(ctx: Pick<RouteContext, 'header' | 'state'>, keys: SurfaceKeys): Promise<SurfaceKey> {
  const before = checked.get(ctx.state)
  if (before && performance.now() - before.at < checkedForMs) return before.caller
  const key = keyIn(ctx.header('authorization')) ?? ctx.header('x-api-key')
  if (key === undefined || key === '') throw new UnauthenticatedError()
  const caller = await keys.authenticate(key, ctx.state.ip)
  checked.set(ctx.state, { caller, at: performance.now() })
  return caller
}

/** Whether a key's list has a name in it: `*` stands for any part, no list for all. */
export function isListed(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, name))
}

function keyIn(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1]
}

/** In time that grows with the name's length alone, however many stars a pattern has. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
