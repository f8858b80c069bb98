/** Whose a plugin is: the first part of its name. */
export function publisherOf(name: string): string {
  return name.split('.', 1)[0] ?? name
}
