import { permissionRegistry, pluginHost, textTeller } from '#kernel'

/** What access stands on. */
export const needs = { registry: permissionRegistry, host: pluginHost, teller: textTeller }
