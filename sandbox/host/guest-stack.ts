/** Where a stack leaves the guest; below are lines of this program. */
const boundary = '\n    at (<isolated-vm boundary>)'

/** The guest's own part of the stack of what its module threw, cut to so many characters. */
export function guestStack(error: unknown, most: number): { readonly stack?: string } {
  const { stack = '' } = error instanceof Error ? error : {}
  const end = stack.indexOf(boundary)
  return end < 0 ? {} : { stack: stack.slice(0, Math.min(end, most)) }
}
