import { permissionRegistry, pluginHost } from '#kernel'

/** What access stands on. */
export const needs = { registry: permissionRegistry, host: pluginHost }
