const place =
  /(^|_)(endpoint|host|hostname|server|address|port|url|uri|domain|region|bucket|container|provider|security|scheme)$/

/**
 * Whether a setting of a driver says where its secrets go, by its name alone, as that of a secret does. The base URL is where
 * others read, without them.
 */
export function isPlaceName(name: string): boolean {
  return place.test(name) && name !== 'base_url'
}
