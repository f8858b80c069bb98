/** The thirteen types of a configuration value. */
export const configTypes = [
  ...(['STRING', 'NUMBER', 'BOOLEAN', 'SELECT', 'MULTI_SELECT', 'JSON', 'TEXT', 'HTML', 'PASSWORD', 'COLOR'] as const),
  ...(['IMAGE', 'TAG', 'FILE'] as const),
] as const

/** One of the types of a configuration value. */
export type ConfigType = (typeof configTypes)[number]
