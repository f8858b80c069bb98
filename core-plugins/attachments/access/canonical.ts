const order = ['w', 'h', 'q', 'f', 'm', 'p', 'preview'] as const

/** Parameters that a signature covers, as a query has them. */
export type SignedParameters = { readonly [name in (typeof order)[number]]?: string | number | boolean | undefined }

/** The parameters that are there, in the one order that is signed: `w=400&f=webp`. */
export function canonicalOf(parameters: SignedParameters): string {
  return order
    .filter((name) => parameters[name] !== undefined)
    .map((name) => `${name}=${String(parameters[name])}`)
    .join('&')
}
