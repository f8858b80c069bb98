/** Whether a plugin's name is in a list of names, `acme.*` and `*`. */
export function isListed(name: string, patterns: readonly string[]): boolean {
  const [publisher] = name.split('.')
  return patterns.some((pattern) => pattern === '*' || pattern === name || pattern === `${publisher}.*`)
}

/** Whether lists let a name in: it is not denied, and where anything is allowed it is among that. */
export function isLetIn(
  name: string,
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
): boolean {
  return !isListed(name, deny) && (allow.length === 0 || isListed(name, allow))
}
