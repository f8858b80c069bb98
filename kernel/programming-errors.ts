/** Mistakes of a plugin's author that end its setup; they never reach a caller. */
export class ProgrammingError extends Error {
  override readonly name = 'ProgrammingError'
}

/** What a plugin declares cannot stand beside what others declare, or contradicts itself: on every host, and as often as it is tried. */
export class DeclarationError extends ProgrammingError {}

/** A plugin needs a service that no enabled plugin provides. */
export function missingService(id: string): ProgrammingError {
  return new ProgrammingError(`No enabled plugin provides the service ${id}`)
}

/** Two plugins provide one service. */
export function serviceTaken(id: string, owner: string, plugin: string): ProgrammingError {
  return new ProgrammingError(`${plugin} provides ${id}, which ${owner} provides already`)
}

/** A plugin emits an event of another one. */
export function foreignEvent(id: string, plugin: string): ProgrammingError {
  return new ProgrammingError(`${plugin} may emit only events named ${plugin}.*, not ${id}`)
}

/** A route has a path that no request could be told by. */
export function badPath(route: string): ProgrammingError {
  return new ProgrammingError(`${route} has braces around something that is no name of a parameter`)
}

/** Plugins need each other in a circle. */
export function circularNeeds(names: readonly string[]): ProgrammingError {
  return new ProgrammingError(`These plugins need each other in a circle: ${names.join(' → ')}`)
}

/** A plugin is enabled twice. */
export function alreadyEnabled(name: string): ProgrammingError {
  return new ProgrammingError(`The plugin ${name} is enabled already`)
}

/** Two plugins own one route. */
export function routeTaken(route: string, owner: string, plugin: string): DeclarationError {
  return new DeclarationError(`${plugin} registers ${route}, which ${owner} owns already`)
}

/** Two plugins declare one permission. */
export function permissionTaken(name: string, owner: string, plugin: string): DeclarationError {
  return new DeclarationError(`${plugin} declares the permission ${name}, which ${owner} declares already`)
}

/** A plugin is disabled while others use its services. */
export function stillNeeded(name: string, by: readonly string[]): ProgrammingError {
  return new ProgrammingError(`${name} cannot be disabled while these use it: ${by.join(', ')}`)
}

/** A plugin was disabled while another was set up to take its place. */
export function goneMeanwhile(name: string): ProgrammingError {
  return new ProgrammingError(`${name} was disabled or replaced while its replacement was set up`)
}

/** A route names a permission that its plugin's manifest does not declare. */
export function undeclaredPermission(permission: string, route: string): DeclarationError {
  return new DeclarationError(`${route} asks for ${permission}, which its manifest does not declare`)
}

/** A route is open to everybody and asks for a permission. */
export function openWithPermission(route: string): DeclarationError {
  return new DeclarationError(`${route} is open to everybody and cannot ask for a permission`)
}

/** An answer is none that its route declares. */
export function responseMismatch(route: string, faults: string): ProgrammingError {
  return new ProgrammingError(`${route} answers what /openapi.json does not tell of it: ${faults}`)
}
