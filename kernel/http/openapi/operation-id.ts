import type { Route } from '../route.ts'

/**
 * The name of a route's operation for generated clients: `getAdminUsersByUserId`. It is made of the method and the path alone, so it is
 * the same in every version, and has only letters and digits.
 */
export function operationId({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split('/').map((segment) => segment.replace(/\{(\w+)\*?\}/g, 'by_$1'))
  return (
    method +
    words
      .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
      .map(capitalised)
      .join('')
  )
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
