import type { Dispatcher } from 'undici'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'

type Scope = 'platform' | 'tenant'
interface Call {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
}
type Paths = Readonly<
  Record<string, Readonly<Record<string, { readonly 'x-permission'?: string | Readonly<Record<Scope, string>> }>>>
>
/** An entry of the menu as the API has it. */
export interface MenuEntry {
  readonly path: string | null
  readonly permission: string | null
  readonly meta: { readonly hidden?: boolean }
  readonly children: readonly MenuEntry[]
}

/** Routes that everybody with an account reaches, and that ask for their right themselves. */
const undeclared: Readonly<Record<string, Call>> = {
  'user_attachment:read': { method: 'GET', path: '/attachments' },
  'user_attachment:upload': { method: 'POST', path: '/attachments' },
  'user_attachment:delete': { method: 'DELETE', path: '/attachments/999999' },
}
const noJson = { body: 'no JSON', headers: { 'content-type': 'application/json' } }

/** Whether the API lets somebody do what needs a permission: it is called for things that are not there, with a body that is none. */
export async function askAllowed(by: Api, scope: Scope): Promise<(permission: string) => Promise<boolean>> {
  const { paths } = (await by.get('/openapi.json')).body as unknown as { readonly paths: Paths }
  const calls = new Map<string, Call>(Object.entries(undeclared))
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { 'x-permission': needed }] of Object.entries(operations)) {
      const permission = typeof needed === 'object' ? needed[scope] : needed
      const isBetter = permission !== undefined && (method === 'get' || !calls.has(permission))
      if (isBetter && !(permission in undeclared)) calls.set(permission, { method: method.toUpperCase(), path })
    }
  const entries = flat(await menuOf(by))
  const answers = new Map<string, Promise<boolean>>()
  const ask = async (permission: string): Promise<boolean> => {
    const call = calls.get(permission)
    // No call needs the rights to enter an area: they are what its entries in the menu need.
    if (!call) return entries.some((entry) => entry.permission === permission)
    const path = call.path.replaceAll(/\{\w+\}/g, '999999')
    const { status, body } = await by.call(call.method, path, call.method === 'GET' ? {} : noJson)
    return !(status === 403 && Number(body['code']) === 4031)
  }
  return (permission) => {
    const answer = answers.get(permission) ?? ask(permission)
    answers.set(permission, answer)
    return answer
  }
}

/** What the API gives somebody as the menu, folders without their contents. */
export async function menuOf(by: Api): Promise<readonly MenuEntry[]> {
  return dataOf(await by.get('/permissions/menus'))['items'] as unknown as readonly MenuEntry[]
}

/** Every entry that leads somewhere. */
export function flat(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  return entries.flatMap((entry) =>
    entry.meta.hidden ? [] : [...(entry.path === null ? [] : [entry]), ...flat(entry.children)],
  )
}
