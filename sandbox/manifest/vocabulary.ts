/** Everything that a plugin may hear of the platform. */
export const kernelEvents = [
  'kernel.tenant.created',
  'kernel.tenant.updated',
  'kernel.tenant.deleted',
  'kernel.user.created',
  'kernel.user.updated',
  'kernel.user.deleted',
  'kernel.config.changed',
  'kernel.plugin.enabled',
  'kernel.plugin.disabled',
  'kernel.plugin.uninstalled',
] as const

/** One of the platform's events, under its name for plugins. */
export type KernelEvent = (typeof kernelEvents)[number]

/** The methods of a plugin's routes. */
export const routeMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One of the methods of a plugin's routes. */
export type RouteMethod = (typeof routeMethods)[number]

/** A text in several languages; `default` is shown where none fits. */
export type LocalisedText = { readonly default: string } & Readonly<Record<string, string>>

/** An object of which every named member may be left out. */
export type Names<K extends string, V = string> = { readonly [name in K]?: V }
