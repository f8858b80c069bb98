import { hasText, say } from '../tab/i18n.ts'

/** What a role is called: the system's by the reader's language, all others as they were named. */
export function roleName({ code, name }: { readonly code: string; readonly name: string }): string {
  return hasText(`shell.roles.${code}`) ? say(`shell.roles.${code}`) : name
}
