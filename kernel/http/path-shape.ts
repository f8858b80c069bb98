const parameter = /\{(\w+)(\*?)\}/g

/** A path with its parameters' names taken out: two routes of one shape and method would answer the same requests. */
export function pathShape(path: string): string {
  return path.replace(parameter, '{$2}')
}

/** Whether a path has braces around names of parameters alone: the router, which is made later, takes no other. */
export function isRoutePath(path: string): boolean {
  return /^(?:[^{}]|\{[A-Za-z_]\w*\*?\})*$/.test(path)
}

/** The leading segments of a path that have no parameter; a path without any is its own. */
export function staticPrefix(path: string): string {
  const brace = path.indexOf('{')
  return brace === -1 ? path : path.slice(0, path.lastIndexOf('/', brace))
}

/** A path as @koa/router writes it: `{id}` → `:id`, and `{file*}`, which takes the rest of the path, → `*file`. */
export function routerPath(path: string): string {
  return path
    .split(/(\{\w+\*?\})/)
    .map((part) =>
      part.startsWith('{') ? part.replace(parameter, (_, name, rest) => (rest ? '*' : ':') + name) : escape(part),
    )
    .join('')
}

/** Orders paths so that at the first difference the static segment stands before the parameter, and that before the rest. */
export function compareSpecificity(a: string, b: string): number {
  const left = pathShape(a).split('/')
  const right = pathShape(b).split('/')
  const index = left.findIndex((segment, at) => rank(segment) !== rank(right[at] ?? ''))
  return index === -1 ? 0 : rank(left[index] ?? '') - rank(right[index] ?? '')
}

function rank(segment: string): number {
  if (segment.includes('{*}')) return 2
  return segment.includes('{}') ? 1 : 0
}

function escape(text: string): string {
  return text.replace(/[{}()[\]+?!:*\\"]/g, '\\$&')
}
