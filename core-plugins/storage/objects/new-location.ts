const extensionPattern = /^[a-z0-9]{1,16}$/

/**
 * Where the bytes of a new object lie: `t<tenant>/<year>/<month>/<id>.<extension>`, the month in UTC. Objects keep the location they
 * were given, so that those from before it was made this way stay where they are.
 */
export function newLocation(tenantId: number, id: string, extension: string | undefined, now = new Date()): string {
  const [year, month] = now.toISOString().split('-') as [string, string]
  const end = extension !== undefined && extensionPattern.test(extension) ? `.${extension}` : ''
  return `t${tenantId}/${year}/${month}/${id}${end}`
}
