/** Who needs a user's avatar. */
export function avatarHolder(userId: number): string {
  return `avatar:${userId}`
}

/** Who needs the file of a setting. */
export function configHolder(group: string, key: string): string {
  return `config:${group}/${key}`
}
