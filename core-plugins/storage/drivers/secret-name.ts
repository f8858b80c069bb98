/**
 * Whether a setting of a driver is a secret, by its name alone: what is stored must be sealed and shown masked also while the
 * driver that declares it is not there.
 */
export function isSecretName(name: string): boolean {
  return /(^|_)(secret|password|passphrase|token|credentials?|key)$/.test(name)
}
