import type { PluginRoute, PublicRoute } from '../plugin-manifest.ts'
import type { Report } from '../fault.ts'
import { reportDuplicates, type Rule } from './rule.ts'

const pathForm = /^(\/([a-z0-9_-]+|:[a-z][a-z0-9_]*))+$/
/** What files of a form become needs it. */
const uploading = 'attachments:write'
const parameter = /:[a-z][a-z0-9_]*/g

/** The shape of a path: what is left of it when the names of its parameters are taken away. */
export function routeShape(path: string): string {
  return path.replace(parameter, ':')
}

/** The three lists of routes: paths that mean one thing, each of which exists once. */
export const routes: Rule = {
  reads: ['admin_routes', 'tenant_routes', 'public_routes', 'capabilities', 'optionalCapabilities'],
  check({ admin_routes = [], tenant_routes = [], public_routes = [], ...manifest }, report) {
    checkList('admin_routes', admin_routes, report)
    checkList('tenant_routes', tenant_routes, report)
    checkList('public_routes', public_routes, report)
    const { capabilities, optionalCapabilities = [] } = manifest
    if (capabilities.includes(uploading) || optionalCapabilities.includes(uploading)) return
    for (const [list, entries] of Object.entries({ admin_routes, tenant_routes, public_routes })) {
      entries.forEach(({ body }, index) => {
        if (body !== undefined) report(`${list}.${index}.body`, 'capability', `This needs the capability ${uploading}.`)
      })
    }
  },
}

/** The permissions: each code once, and every use of one declared. */
export const permissions: Rule = {
  reads: ['permissions', 'admin_routes', 'tenant_routes', 'slots', 'provides'],
  check({ permissions = [], admin_routes = [], tenant_routes = [], slots = [], provides }, report) {
    reportDuplicates(
      permissions,
      ({ code }) => code,
      (index) => report(`permissions.${index}.code`, 'unique', 'This code is declared twice.'),
    )
    const declared = new Set(permissions.map(({ code }) => code))
    const users = { admin_routes, tenant_routes, slots, 'provides.aiTools': provides?.aiTools ?? [] }
    for (const [list, entries] of Object.entries(users)) {
      entries.forEach(({ permission }, index) => {
        if (permission !== undefined && !declared.has(permission))
          report(`${list}.${index}.permission`, 'declared', 'Declare this code in permissions.')
      })
    }
  },
}

/** What a plugin for the whole platform cannot have, because it is assigned to no tenant. */
export const scope: Rule = {
  reads: ['scope', 'tenant_routes', 'config', 'schedules', 'menu'],
  check({ scope, tenant_routes = [], config = [], schedules = [], menu = [] }, report) {
    if (scope === 'tenant') return
    const message = 'A plugin of scope platform is assigned to no tenant.'
    if (tenant_routes.length > 0) report('tenant_routes', 'scope', message)
    config.forEach((item, index) => item.scope === 'tenant' && report(`config.${index}.scope`, 'scope', message))
    schedules.forEach((item, index) => item.perTenant && report(`schedules.${index}.perTenant`, 'scope', message))
    menu.forEach((item, index) => item.area === 'tenant' && report(`menu.${index}.area`, 'scope', message))
  },
}

/** What of a path is not as it should be: whoever has another framework's in mind sees no fault in it. */
function pathFault(path: string): string {
  const usual = 'Write segments such as /reports/:id in lower case.'
  const [braces] = path.match(/\{\w+\}/) ?? []
  if (braces !== undefined) return `${usual} ${braces} is written :${braces.slice(1, -1).toLowerCase()} here.`
  if (/^\/.*\/$/.test(path)) return `${usual} Leave the slash at the end out.`
  const [other] = path.match(/[^a-z0-9/:_-]/) ?? []
  if (other === undefined) return usual
  return `${usual} They have small letters, digits, - and _, and no ${JSON.stringify(other)}${other === '.' ? ': a file is named by content-disposition' : ''}.`
}

function checkList(list: string, entries: readonly (PluginRoute | PublicRoute)[], report: Report): void {
  entries.forEach((entry, index) => {
    const { path } = entry
    const field = `${list}.${index}`
    checkForm(field, entry, report)
    if (!pathForm.test(path)) {
      report(`${field}.path`, 'path', pathFault(path))
      return
    }
    const segments = path.slice(1).split('/')
    if (segments.length > 8) report(`${field}.path`, 'segments', 'A path has at most 8 segments.')
    reportDuplicates(path.match(parameter) ?? [], String, (_, name) =>
      report(`${field}.path`, 'unique', `The parameter ${name} is used twice in this path.`),
    )
  })
  reportDuplicates(
    entries,
    ({ method, path }) => `${method} ${routeShape(path)}`,
    (index, key) => report(`${list}.${index}`, 'unique', `Another route of the list already answers ${key}.`),
  )
}

/** Forms with files are sent where something is changed, and have no text over which a signature could be made. */
function checkForm(
  field: string,
  { method, body, rawBody, maxBodyKb, maxFiles, maxFileMb, stream }: PluginRoute | PublicRoute,
  report: Report,
): void {
  if (stream && body !== undefined)
    report(`${field}.stream`, 'form', 'A route that takes files does not stream its answer.')
  if (body === 'file' && maxFiles !== undefined)
    report(`${field}.maxFiles`, 'form', 'This is of routes with "body": "multipart".')
  if (body === undefined) {
    if (maxFiles !== undefined) report(`${field}.maxFiles`, 'form', 'This is of routes with "body": "multipart".')
    if (maxFileMb !== undefined)
      report(`${field}.maxFileMb`, 'form', 'This is of routes with "body": "multipart" or "file".')
    return
  }
  if (method === 'GET' || method === 'DELETE') report(`${field}.body`, 'form', `${method} takes no form.`)
  if (rawBody) report(`${field}.rawBody`, 'form', 'A form with files is not handed over as text.')
  if (maxBodyKb !== undefined) report(`${field}.maxBodyKb`, 'form', 'Say maxFileMb of a form with files.')
}
